import type {AuditEntry} from '../live/model/audit-entry.ts';
import type {NotificationRecord} from '../live/model/notification.ts';
import type {Page, PageRequest} from '../values/page.ts';

/** Append-only record of who did what. */
export type AuditStore = Readonly<{
	append(entry: AuditEntry): Promise<void>;
	/** Newest first. */
	list(team_id: string, page: PageRequest): Promise<Page<AuditEntry>>;
}>;

/** Notifications of users. */
export type NotificationStore = Readonly<{
	append(notification: NotificationRecord): Promise<void>;
	/**
	 * Unless the user has an unread one of that type whose `data` names the same `subject` (the name of a text in it), also
	 * under parallel calls: what goes on failing is told once. @returns whether it was appended.
	 */
	appendUnlessUnread(notification: NotificationRecord, subject: string): Promise<boolean>;
	/** Newest first. */
	list(user_id: string, filter: Readonly<{unread_only: boolean}>, page: PageRequest): Promise<Page<NotificationRecord>>;
	countUnread(user_id: string): Promise<number>;
	markRead(user_id: string, id: string): Promise<NotificationRecord | undefined>;
	/** @returns how many became read. */
	markAllRead(user_id: string): Promise<number>;
	delete(user_id: string, id: string): Promise<boolean>;
}>;
