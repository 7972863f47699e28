import type {NotificationRecord} from '../../live/model/notification.ts';
import {isWantedBy} from '../../live/rules/wanted-notification.ts';
import type {NotificationOutbox} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, rowsWhere} from '../rows.ts';

/** Writes a notification, with its place in the outbox if a channel wants it. */
export const addNotification = (db: MemoryDatabase, notification: NotificationRecord): void => {
	db.notifications.set(notification.id, copyOf(notification));
	const {id, user_id} = notification;
	const wanting = rowsWhere(
		db.notificationChannels,
		(channel) => channel.user_id === user_id && isWantedBy(notification, channel),
	);
	if (wanting.length > 0) db.notificationOutbox.add(id);
};

export const createNotificationOutbox = (db: MemoryDatabase): NotificationOutbox => ({
	waiting: async (limit) =>
		rowsWhere(db.notifications, ({id}) => db.notificationOutbox.has(id))
			.sort(by('id'))
			.slice(0, limit)
			.map(copyOf),
	done: async (id) => {
		db.notificationOutbox.delete(id);
	},
});
