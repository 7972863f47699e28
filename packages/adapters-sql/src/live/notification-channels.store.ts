import {channelsAreFull, type NotificationChannelRecord, type Stores} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {integer, type Sql, sql} from '../sql.ts';
import {notificationChannels} from './notification-channels.table.ts';

const selectChannels = (condition: Sql): Sql =>
	sql`SELECT ${notificationChannels.columns} FROM notification_channels WHERE ${condition}`;

const createChannel = async (transaction: Transaction, channel: NotificationChannelRecord, most: number) => {
	const {user_id} = channel;
	await lockRow(transaction, 'users', user_id);
	const existing = sql`SELECT COUNT(*) AS count FROM notification_channels WHERE user_id = ${user_id}`;
	if ((await count(transaction, existing)) >= most) throw channelsAreFull(most);
	await transaction.run(notificationChannels.insert([channel]));
};

export const createNotificationChannelStore = (connection: Connection): Stores['notificationChannels'] => {
	const one = (user_id: string, id: string) => sql`id = ${id} AND user_id = ${user_id}`;
	const select = async (selected: Sql) => (await connection.all(selected)).map(notificationChannels.read);
	return {
		create: async (channel, most) => connection.write(async (transaction) => createChannel(transaction, channel, most)),
		get: async (user_id, id) => {
			const row = await first(connection, selectChannels(one(user_id, id)));
			return row && notificationChannels.read(row);
		},
		list: async (user_id) => select(sql`${selectChannels(sql`user_id = ${user_id}`)} ORDER BY created_at, id`),
		update: async (user_id, id, change) =>
			connection.write(async (transaction) => {
				const update = sql`UPDATE notification_channels SET ${notificationChannels.set(change)} WHERE ${one(user_id, id)}`;
				const row = await guardedUpdate(transaction, update, selectChannels(one(user_id, id)));
				return row && notificationChannels.read(row);
			}),
		delete: async (user_id, id) =>
			connection.write(
				async (transaction) =>
					(await transaction.run(sql`DELETE FROM notification_channels WHERE ${one(user_id, id)}`)) > 0,
			),
		sealedOtherwise: async (kid, limit) =>
			select(sql`${selectChannels(sql`url_kid <> ${kid}`)} ORDER BY created_at, id LIMIT ${integer(limit)}`),
		reseal: async (id, from, to) => {
			const unchanged = sql`id = ${id} AND url_kid = ${from.kid} AND url_data = ${from.data}`;
			const update = sql`UPDATE notification_channels SET ${notificationChannels.set({url: to})} WHERE ${unchanged}`;
			return connection.write(async (transaction) => (await transaction.run(update)) > 0);
		},
	};
};
