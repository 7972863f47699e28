import type {ErrorDetail} from '../../values/error-detail.ts';
import type {ReadSettings} from '../../values/read-settings.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import {
	type ChannelSettings,
	channelSettingsSchema,
	type NewChannel,
	newChannelSchema,
} from '../model/channel-settings.ts';
import {notificationTypeSchema} from '../model/notification.ts';
import type {NotificationChannel} from '../model/notification-channel.ts';
import {channelUrlProblem, shownChannelUrl} from './channel-url.ts';

/** What a channel is made of that requests set. */
export type ChannelFields = Pick<NotificationChannel, 'name' | 'type' | 'url' | 'events' | 'is_active'>;

const defaultNames = {webhook: 'Webhook', slack: 'Slack'} as const;

const problemsOf = (type: NotificationChannel['type'], url: string): readonly ErrorDetail[] => {
	const message = channelUrlProblem(type, url);
	return message === undefined ? [] : [{path: 'url', message}];
};

/** Reads what a new channel is to be. */
export const readNewChannel = (request: NewChannel): ReadSettings<ChannelFields> => {
	const read = newChannelSchema.safeParse(request);
	if (!read.success) return {ok: false, details: schemaProblems(read.error)};
	const {type, url, name = defaultNames[type], events = notificationTypeSchema.options, is_active = true} = read.data;
	const details = problemsOf(type, url);
	return details.length > 0
		? {ok: false, details}
		: {ok: true, value: {type, url, name, events: [...new Set(events)], is_active}};
};

/** Reads a change of a channel. Whoever sends back what they read sends the mask: it stands for what is stored. */
export const readChannelChange = (
	request: ChannelSettings,
	{type, url: known}: Pick<ChannelFields, 'type' | 'url'>,
): ReadSettings<ChannelSettings> => {
	const read = channelSettingsSchema.safeParse(request);
	if (!read.success) return {ok: false, details: schemaProblems(read.error)};
	const {url: asked, events, ...rest} = read.data;
	const url = asked === shownChannelUrl(type, known) ? undefined : asked;
	const details = url === undefined ? [] : problemsOf(type, url);
	return details.length > 0
		? {ok: false, details}
		: {ok: true, value: {...rest, url, events: events && [...new Set(events)]}};
};
