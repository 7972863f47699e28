import {channelsAreFull, DomainError} from '../../errors.ts';
import type {NotificationChannelRecord} from '../../live/model/notification-channel.ts';
import type {NotificationChannelStore} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, merged, oldestFirst, rowsWhere} from '../rows.ts';

export const createNotificationChannelStore = (db: MemoryDatabase): NotificationChannelStore => {
	const find = (user_id: string, id: string) => {
		const channel = db.notificationChannels.get(id);
		return channel?.user_id === user_id ? channel : undefined;
	};
	const select = (holds: (channel: NotificationChannelRecord) => boolean) =>
		rowsWhere(db.notificationChannels, holds).sort(oldestFirst).map(copyOf);
	return {
		create: async (channel, most) => {
			const {id, user_id} = channel;
			if (!db.users.has(user_id)) throw new DomainError('resource_not_found');
			if (select((other) => other.user_id === user_id).length >= most) throw channelsAreFull(most);
			db.notificationChannels.set(id, copyOf(channel));
		},
		get: async (user_id, id) => copyOf(find(user_id, id)),
		list: async (user_id) => select((channel) => channel.user_id === user_id),
		update: async (user_id, id, change) => {
			const channel = find(user_id, id);
			if (channel === undefined) return undefined;
			const changed = merged<NotificationChannelRecord>(channel, copyOf(change));
			db.notificationChannels.set(id, changed);
			return copyOf(changed);
		},
		delete: async (user_id, id) => find(user_id, id) !== undefined && db.notificationChannels.delete(id),
		sealedOtherwise: async (kid, limit) => select(({url}) => url.kid !== kid).slice(0, limit),
		reseal: async (id, from, to) => {
			const channel = db.notificationChannels.get(id);
			if (channel?.url.kid !== from.kid || channel.url.data !== from.data) return false;
			db.notificationChannels.set(id, {...channel, url: copyOf(to)});
			return true;
		},
	};
};
