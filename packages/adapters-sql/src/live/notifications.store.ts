import type {NotificationStore} from '@signalbox/core';
import {type Connection, count} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {newestPage} from '../page.ts';
import {and, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {insertNotifications} from './notification-outbox.store.ts';
import {notifications} from './notifications.table.ts';

/** One statement takes so many values, and no more. */
const insertedAtOnce = 1000;

export const createNotificationStore = (connection: Connection): NotificationStore => {
	const one = (user_id: string, id: string) => sql`id = ${id} AND user_id = ${user_id}`;
	const unread = (user_id: string) => sql`user_id = ${user_id} AND is_read = 0`;
	return {
		append: async (...appended) => {
			if (appended.length === 0) return;
			await connection.write(async (transaction) => {
				for (let at = 0; at < appended.length; at += insertedAtOnce)
					await insertNotifications(transaction, appended.slice(at, at + insertedAtOnce));
			});
		},
		appendUnlessUnread: async (notification, subject, since) =>
			connection.write(async (transaction) => {
				const {user_id, type, data} = notification;
				await lockRow(transaction, 'users', user_id);
				const told = [unread(user_id), sql`type = ${type}`];
				if (since !== undefined) told.push(sql`created_at >= ${storedInstant(since)}`);
				const rows = await transaction.all(sql`SELECT ${notifications.columns} FROM notifications WHERE ${and(told)}`);
				if (rows.some((row) => notifications.read(row).data[subject] === data[subject])) return false;
				await insertNotifications(transaction, [notification]);
				return true;
			}),
		list: async (user_id, {unread_only}, page) => {
			const condition = unread_only ? unread(user_id) : sql`user_id = ${user_id}`;
			return newestPage(connection, {table: notifications, condition}, page);
		},
		countUnread: async (user_id) =>
			count(connection, sql`SELECT COUNT(*) AS count FROM notifications WHERE ${unread(user_id)}`),
		markRead: async (user_id, id) =>
			connection.write(async (transaction) => {
				const condition = one(user_id, id);
				const update = sql`UPDATE notifications SET is_read = 1 WHERE ${condition}`;
				const select = sql`SELECT ${notifications.columns} FROM notifications WHERE ${condition}`;
				const row = await guardedUpdate(transaction, update, select);
				return row && notifications.read(row);
			}),
		markAllRead: async (user_id) =>
			connection.write(async (transaction) =>
				transaction.run(sql`UPDATE notifications SET is_read = 1 WHERE ${unread(user_id)}`),
			),
		delete: async (user_id, id) =>
			connection.write(
				async (transaction) => (await transaction.run(sql`DELETE FROM notifications WHERE ${one(user_id, id)}`)) > 0,
			),
	};
};
