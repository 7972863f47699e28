import {DomainError} from '../errors.ts';
import {checkedPage} from '../list-request.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Notification, NotificationRecord} from './model/notification.ts';

/** What the caller is told, in whichever team it happened. */
export type Notifications = Readonly<{
	/** Newest first. */
	list(caller: Caller, filter: Readonly<{unread_only: boolean}>, page: PageRequest): Promise<Page<Notification>>;
	countUnread(caller: Caller): Promise<number>;
	/** @throws resource_not_found */
	markRead(caller: Caller, id: string): Promise<Notification>;
	/** @returns how many became read. */
	markAllRead(caller: Caller): Promise<number>;
	/** @throws resource_not_found */
	delete(caller: Caller, id: string): Promise<void>;
}>;

const viewOf = ({user_id: _owner, ...notification}: NotificationRecord): Notification => notification;

export const createNotifications = ({notifications}: Pick<Ports, 'notifications'>): Notifications => ({
	list: async ({user_id}, filter, page) => {
		const found = await notifications.list(user_id, filter, checkedPage(page));
		return {...found, data: found.data.map(viewOf)};
	},
	countUnread: ({user_id}) => notifications.countUnread(user_id),
	markRead: async ({user_id}, id) => {
		const read = await notifications.markRead(user_id, id);
		if (read === undefined) throw new DomainError('resource_not_found');
		return viewOf(read);
	},
	markAllRead: ({user_id}) => notifications.markAllRead(user_id),
	delete: async ({user_id}, id) => {
		if (!(await notifications.delete(user_id, id))) throw new DomainError('resource_not_found');
	},
});
