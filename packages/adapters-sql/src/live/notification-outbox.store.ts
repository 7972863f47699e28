import {isWantedBy, type NotificationRecord, type Stores} from '@signalbox/core';
import type {Connection, Transaction} from '../connection.ts';
import {integer, join, paddedList, raw, sql} from '../sql.ts';
import {notificationChannels} from './notification-channels.table.ts';
import {notifications} from './notifications.table.ts';

/** Those that a channel of their user wants. */
const wantedOf = async (transaction: Transaction, appended: readonly NotificationRecord[]) => {
	const users = [...new Set(appended.map(({user_id}) => user_id))];
	const rows = await transaction.all(
		sql`SELECT ${notificationChannels.columns} FROM notification_channels WHERE user_id IN ${paddedList(users)}`,
	);
	const channels = rows.map(notificationChannels.read);
	return appended.filter((each) =>
		channels.some((channel) => channel.user_id === each.user_id && isWantedBy(each, channel)),
	);
};

/** Writes notifications, and the place in the outbox of those that a channel wants. */
export const insertNotifications = async (
	transaction: Transaction,
	appended: readonly NotificationRecord[],
): Promise<void> => {
	await transaction.run(notifications.insert(appended));
	const wanted = await wantedOf(transaction, appended);
	if (wanted.length === 0) return;
	const ids = wanted.map(({id}) => sql`(${id})`);
	await transaction.run(sql`INSERT INTO notification_outbox (notification_id) VALUES ${join(ids, ', ')}`);
};

export const createNotificationOutbox = (connection: Connection): Stores['notificationOutbox'] => ({
	waiting: async (limit) => {
		const columns = notifications.columnsOf('n');
		const outbox = raw('notification_outbox o CROSS JOIN notifications n');
		const rows = await connection.all(
			sql`SELECT ${columns} FROM ${outbox} WHERE n.id = o.notification_id ORDER BY o.notification_id LIMIT ${integer(limit)}`,
		);
		return rows.map(notifications.read);
	},
	done: async (id) => {
		await connection.write(async (transaction) =>
			transaction.run(sql`DELETE FROM notification_outbox WHERE notification_id = ${id}`),
		);
	},
});
