import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {channelUrlBinding} from '../values/binding.ts';
import type {Caller} from '../values/caller.ts';
import type {ReadSettings} from '../values/read-settings.ts';
import {createView} from '../values/view.ts';
import type {WebhookEvents} from '../webhook/events.ts';
import type {WebhookEvent} from '../webhook/model/event.ts';
import type {Notices} from '../webhook/notices.ts';
import {sendTest} from './channel-test.ts';
import type {ChannelSettings, NewChannel} from './model/channel-settings.ts';
import {
	mostNotificationChannels,
	type NotificationChannel,
	type NotificationChannelRecord,
	notificationChannelSchema,
} from './model/notification-channel.ts';
import {readChannelChange, readNewChannel} from './rules/channel-settings.ts';
import {shownChannelUrl} from './rules/channel-url.ts';

/** Where the caller wants to be told, besides the list of their notifications. URLs are stored encrypted. */
export type NotificationChannels = Readonly<{
	/** @throws validation_error; conflict for more than 20. */
	create(caller: Caller, request: NewChannel): Promise<NotificationChannel>;
	/** Oldest first. */
	list(caller: Caller): Promise<readonly NotificationChannel[]>;
	/** @throws resource_not_found */
	get(caller: Caller, id: string): Promise<NotificationChannel>;
	/** @throws resource_not_found; validation_error. */
	update(caller: Caller, id: string, request: ChannelSettings): Promise<NotificationChannel>;
	/**
	 * Sends one notice there, like real ones but tried once. @returns its event, of which the delivery says what came of it.
	 * @throws resource_not_found; conflict for a channel that is switched off; rate_limited for more than 6 a minute.
	 */
	test(caller: Caller, id: string): Promise<WebhookEvent>;
	/** What waits to be delivered there is given up. @throws resource_not_found */
	delete(caller: Caller, id: string): Promise<void>;
}>;

type Needs = Pick<Ports, 'audit' | 'cipher' | 'clock' | 'ids' | 'notificationChannels' | 'rateLimiter'> &
	Readonly<{
		sendNotice: Notices['send'];
		eventOf: WebhookEvents['get'];
	}>;

export const createNotificationChannels = (needs: Needs): NotificationChannels => {
	const {notificationChannels: channels} = needs;
	const record = createAuditTrail(needs);
	const find = async ({user_id}: Caller, id: string): Promise<NotificationChannelRecord> => {
		const channel = await channels.get(user_id, id);
		if (channel === undefined) throw new DomainError('resource_not_found');
		return channel;
	};
	return {
		create: async (caller, request) => {
			const channel = newChannel(needs, caller, request);
			await channels.create(channel, mostNotificationChannels);
			const {id: target_id, type} = channel;
			await record(caller, {action: 'notification_channel.created', target_id, data: {type}});
			return viewOf(needs, channel);
		},
		list: async ({user_id}) => (await channels.list(user_id)).map((channel) => viewOf(needs, channel)),
		get: async (caller, id) => viewOf(needs, await find(caller, id)),
		update: async (caller, id, request) => {
			const change = changeOf(needs, await find(caller, id), request);
			const channel = await channels.update(caller.user_id, id, change);
			if (channel === undefined) throw new DomainError('resource_not_found');
			const fields = Object.keys(change).filter((field) => field !== 'updated_at');
			await record(caller, {action: 'notification_channel.updated', target_id: id, data: {fields}});
			return viewOf(needs, channel);
		},
		test: async (caller, id) => {
			const event_id = await sendTest(needs, await find(caller, id));
			await record(caller, {action: 'notification_channel.tested', target_id: id, data: {event_id}});
			return needs.eventOf(caller, event_id);
		},
		delete: async (caller, id) => {
			if (!(await channels.delete(caller.user_id, id))) throw new DomainError('resource_not_found');
			await record(caller, {action: 'notification_channel.deleted', target_id: id});
		},
	};
};

const readOrRefuse = <T>(read: ReadSettings<T>): T => {
	if (read.ok) return read.value;
	throw invalidFields(read.details);
};

const newChannel = ({cipher, clock, ids}: Needs, {user_id}: Caller, request: NewChannel): NotificationChannelRecord => {
	const {url, ...fields} = readOrRefuse(readNewChannel(request));
	const [owner, now] = [{id: ids.next(), user_id}, clock.now()];
	const sealed = cipher.seal(url, channelUrlBinding(owner));
	return {...owner, ...fields, url: sealed, created_at: now, updated_at: now};
};

/** The fields that the request names, as they are stored. */
const changeOf = (needs: Needs, channel: NotificationChannelRecord, request: ChannelSettings) => {
	const {type} = channel;
	const {url, ...fields} = readOrRefuse(readChannelChange(request, {type, url: openUrl(needs, channel)}));
	const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
	const sealed = url === undefined ? {} : {url: needs.cipher.seal(url, channelUrlBinding(channel))};
	return {...(given as Omit<typeof fields, 'url'>), ...sealed, updated_at: needs.clock.now()};
};

/** Empty when none of the master keys that are set opens it: the owner sets another one. */
const openUrl = ({cipher}: Pick<Needs, 'cipher'>, channel: NotificationChannelRecord): string => {
	try {
		return cipher.open(channel.url, channelUrlBinding(channel));
	} catch {
		return '';
	}
};

const fieldsOf = createView(notificationChannelSchema);

const viewOf = (needs: Pick<Needs, 'cipher'>, channel: NotificationChannelRecord): NotificationChannel =>
	fieldsOf({...channel, url: shownChannelUrl(channel.type, openUrl(needs, channel))});
