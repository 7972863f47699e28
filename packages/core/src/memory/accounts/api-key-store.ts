import {DomainError} from '../../errors.ts';
import type {ApiKeyStore} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, firstWhere, oldestFirst, rowsWhere} from '../rows.ts';

export const createApiKeyStore = (db: MemoryDatabase): ApiKeyStore => {
	const ofUser = (user_id: string) => rowsWhere(db.apiKeys, (key) => key.user_id === user_id);
	const find = (user_id: string, id: string) => {
		const key = db.apiKeys.get(id);
		return key?.user_id === user_id ? key : undefined;
	};
	return {
		create: async (key, limit) => {
			if (limit !== null && ofUser(key.user_id).length >= limit) throw new DomainError('plan_limit_reached');
			db.apiKeys.set(key.id, copyOf(key));
		},
		byPrefix: async (prefix) => copyOf(firstWhere(db.apiKeys, (key) => key.prefix === prefix)),
		get: async (user_id, id) => copyOf(find(user_id, id)),
		list: async (user_id) => ofUser(user_id).sort(oldestFirst).map(copyOf),
		delete: async (user_id, id) => find(user_id, id) !== undefined && db.apiKeys.delete(id),
		touch: async (id, now) => {
			const key = db.apiKeys.get(id);
			if (key !== undefined) db.apiKeys.set(id, {...key, last_used_at: now});
		},
	};
};
