import type {NotificationRecord} from '../../live/model/notification.ts';
import type {NotificationStore} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, newestFirst, pageOf, rowsWhere, updateWhere} from '../rows.ts';
import {addNotification} from './notification-outbox.ts';

const markedRead = (notification: NotificationRecord): NotificationRecord => ({...notification, is_read: true});

export const createNotificationStore = (db: MemoryDatabase): NotificationStore => {
	const isUnreadOf = (user_id: string) => (row: NotificationRecord) => row.user_id === user_id && !row.is_read;
	const find = (user_id: string, id: string) => {
		const notification = db.notifications.get(id);
		return notification?.user_id === user_id ? notification : undefined;
	};
	return {
		append: async (...notifications) => {
			for (const notification of notifications) addNotification(db, notification);
		},
		appendUnlessUnread: async (notification, subject, since = '') => {
			const {user_id, type, data} = notification;
			const isTold = (row: NotificationRecord) =>
				isUnreadOf(user_id)(row) && row.created_at >= since && row.type === type && row.data[subject] === data[subject];
			if (rowsWhere(db.notifications, isTold).length > 0) return false;
			addNotification(db, notification);
			return true;
		},
		list: async (user_id, {unread_only}, page) => {
			const isListed = unread_only ? isUnreadOf(user_id) : (row: NotificationRecord) => row.user_id === user_id;
			return pageOf(rowsWhere(db.notifications, isListed).sort(newestFirst), page);
		},
		countUnread: async (user_id) => rowsWhere(db.notifications, isUnreadOf(user_id)).length,
		markRead: async (user_id, id) => {
			const notification = find(user_id, id);
			if (notification === undefined) return undefined;
			db.notifications.set(id, markedRead(notification));
			return copyOf(markedRead(notification));
		},
		markAllRead: async (user_id) => updateWhere(db.notifications, isUnreadOf(user_id), markedRead).length,
		delete: async (user_id, id) => find(user_id, id) !== undefined && db.notifications.delete(id),
	};
};
