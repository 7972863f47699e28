import {notificationSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {booleanField, idParams, integerField, pageFields, pageOf} from '../http/fields.ts';

const example = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b10',
	type: 'approval_pending',
	title: 'send_email waits for approval',
	message: 'A call of send_email on Mail waits for a decision until 2026-01-31T09:35:00.000Z.',
	data: {approval_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b11', tool_name: 'send_email'},
	is_read: false,
	created_at: '2026-01-31T09:30:00.000Z',
};

const notificationView = notificationSchema.meta({id: 'Notification', examples: [example]});

const countOf = (id: string, description: string) =>
	z.object({count: z.int().min(0).meta({description})}).meta({id, examples: [{count: 3}]});

const list = defineRoute({
	method: 'GET',
	path: '/v1/notifications',
	operationId: 'notifications.list',
	summary: "The caller's notifications, newest first",
	auth: 'caller',
	extension: true,
	query: z.strictObject({
		unread_only: booleanField.default(false),
		limit: integerField({min: 1, max: 100, default: 20}),
		offset: pageFields.offset,
	}),
	replies: {200: pageOf('NotificationPage', notificationView)},
	handler: ({core, caller, query: {unread_only, ...page}}) => core.live.notifications.list(caller, {unread_only}, page),
});

const unreadCount = defineRoute({
	method: 'GET',
	path: '/v1/notifications/unread-count',
	operationId: 'notifications.unreadCount',
	summary: "How many of the caller's notifications are unread",
	auth: 'caller',
	extension: true,
	replies: {200: countOf('UnreadNotifications', 'Unread notifications.')},
	handler: async ({core, caller}) => ({count: await core.live.notifications.countUnread(caller)}),
});

const readAll = defineRoute({
	method: 'PUT',
	path: '/v1/notifications/read-all',
	operationId: 'notifications.readAll',
	summary: "Mark all of the caller's notifications read",
	auth: 'caller',
	extension: true,
	replies: {200: countOf('NotificationsRead', 'Notifications that became read.')},
	handler: async ({core, caller}) => ({count: await core.live.notifications.markAllRead(caller)}),
});

const read = defineRoute({
	method: 'PUT',
	path: '/v1/notifications/{id}/read',
	operationId: 'notifications.read',
	summary: 'Mark a notification read',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: notificationView},
	handler: ({core, caller, params}) => core.live.notifications.markRead(caller, params.id),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/notifications/{id}',
	operationId: 'notifications.delete',
	summary: 'Delete a notification',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.live.notifications.delete(caller, params.id);
		return undefined;
	},
});

export const notificationRoutes = [list, unreadCount, readAll, read, remove];
