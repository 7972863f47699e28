import {type ApiKeyRecord, type ApiKeyStore, DomainError} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {lockRow} from '../lock-rows.ts';
import {type Sql, sql} from '../sql.ts';
import {apiKeys} from './api-keys.table.ts';

const selectKeys = (condition: Sql): Sql => sql`SELECT ${apiKeys.columns} FROM api_keys WHERE ${condition}`;

const createKey = async (transaction: Transaction, key: ApiKeyRecord, limit: number | null): Promise<void> => {
	await lockRow(transaction, 'users', key.user_id);
	const existing = sql`SELECT COUNT(*) AS count FROM api_keys WHERE user_id = ${key.user_id}`;
	if (limit !== null && (await count(transaction, existing)) >= limit) throw new DomainError('plan_limit_reached');
	await transaction.run(apiKeys.insert([key]));
};

export const createApiKeyStore = (connection: Connection): ApiKeyStore => {
	const find = async (condition: Sql) => {
		const row = await first(connection, selectKeys(condition));
		return row && apiKeys.read(row);
	};
	return {
		create: async (key, limit) => connection.write(async (transaction) => createKey(transaction, key, limit)),
		byPrefix: async (prefix) => find(sql`prefix = ${prefix}`),
		get: async (user_id, id) => find(sql`id = ${id} AND user_id = ${user_id}`),
		list: async (user_id) => {
			const rows = await connection.all(sql`${selectKeys(sql`user_id = ${user_id}`)} ORDER BY created_at, id`);
			return rows.map(apiKeys.read);
		},
		delete: async (user_id, id) =>
			connection.write(
				async (transaction) =>
					(await transaction.run(sql`DELETE FROM api_keys WHERE id = ${id} AND user_id = ${user_id}`)) > 0,
			),
		touch: async (id, now) => {
			const change = apiKeys.set({last_used_at: now});
			await connection.write(async (transaction) =>
				transaction.run(sql`UPDATE api_keys SET ${change} WHERE id = ${id}`),
			);
		},
	};
};
