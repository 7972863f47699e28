import {channelSettingsSchema, newChannelSchema, notificationChannelSchema} from '@signalbox/core';
import {defineRoute} from '../http/define-route.ts';
import {idParams, listOf} from '../http/fields.ts';
import {eventView} from '../webhook/events.views.ts';

const exampleChannel = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b70',
	name: 'Slack',
	type: 'slack',
	url: 'https://hooks.slack.com/********',
	events: ['approval_pending', 'cron_failure'],
	is_active: true,
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
};

const {shape} = notificationChannelSchema;

const channelView = notificationChannelSchema
	.extend({
		url: shape.url.meta({description: 'Of the type slack masked from the path on.'}),
		events: shape.events.meta({description: 'The types of notifications that go there.'}),
	})
	.meta({id: 'NotificationChannel', examples: [exampleChannel]});

const settingsOf = {
	url: channelSettingsSchema.shape.url.meta({
		description: 'Http or https, stored encrypted. The mask of an answer keeps what is stored.',
	}),
	events: channelSettingsSchema.shape.events.meta({description: 'Default: every type.'}),
	is_active: channelSettingsSchema.shape.is_active.meta({description: 'Default: true.'}),
};

const create = defineRoute({
	method: 'POST',
	path: '/v1/notification-channels',
	operationId: 'notificationChannels.create',
	summary:
		"Send the caller's notifications to a URL too, as messages of Slack or as webhooks, signed with the secret that `POST /v1/notifications/rotate-secret` shows",
	auth: 'caller',
	extension: true,
	payload: newChannelSchema.extend({...settingsOf, url: settingsOf.url.unwrap()}).meta({
		id: 'CreateNotificationChannel',
		examples: [
			{type: 'webhook', url: 'https://ops.example.com/signalbox', events: ['approval_pending']},
			{type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX', name: 'Slack'},
		],
	}),
	replies: {201: channelView},
	errors: ['conflict'],
	handler: ({core, caller, payload}) => core.live.notificationChannels.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/notification-channels',
	operationId: 'notificationChannels.list',
	summary: "The caller's notification channels, oldest first",
	auth: 'caller',
	extension: true,
	replies: {200: listOf('NotificationChannelList', channelView)},
	handler: async ({core, caller}) => ({data: await core.live.notificationChannels.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/notification-channels/{id}',
	operationId: 'notificationChannels.get',
	summary: 'One notification channel',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: channelView},
	handler: ({core, caller, params}) => core.live.notificationChannels.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/notification-channels/{id}',
	operationId: 'notificationChannels.update',
	summary: 'Change a notification channel; what is left out stays as it is',
	auth: 'caller',
	extension: true,
	params: idParams,
	payload: channelSettingsSchema.extend(settingsOf).meta({
		id: 'UpdateNotificationChannel',
		examples: [{is_active: false}, {events: ['approval_pending', 'budget_alert']}],
	}),
	replies: {200: channelView},
	handler: ({core, caller, params, payload}) => core.live.notificationChannels.update(caller, params.id, payload),
});

const tryOut = defineRoute({
	method: 'POST',
	path: '/v1/notification-channels/{id}/test',
	operationId: 'notificationChannels.test',
	summary:
		'Send a test to a notification channel as real notifications are sent, but once: what came of it stands in the event. At most 6 a minute for all channels of a user',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {201: eventView},
	handler: ({core, caller, params}) => core.live.notificationChannels.test(caller, params.id),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/notification-channels/{id}',
	operationId: 'notificationChannels.delete',
	summary: 'Delete a notification channel; what waits to be delivered there is given up',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.live.notificationChannels.delete(caller, params.id);
		return undefined;
	},
});

export const notificationChannelRoutes = [create, list, get, update, remove, tryOut];
