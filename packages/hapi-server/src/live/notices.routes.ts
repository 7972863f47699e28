import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';

const rotateSecret = defineRoute({
	method: 'POST',
	path: '/v1/notifications/rotate-secret',
	operationId: 'notifications.rotateSecret',
	summary:
		'Give the caller a new secret that signs their webhook notifications; the old one signs beside it for 24 hours',
	auth: 'caller',
	extension: true,
	replies: {
		200: z
			.object({
				signing_secret: z.string().meta({description: 'Shown whole this once (Standard Webhooks).'}),
			})
			.meta({id: 'NotificationSecret', examples: [{signing_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'}]}),
	},
	errors: ['conflict'],
	handler: ({core, caller}) => core.webhook.notices.rotateSecret(caller),
});

export const noticeRoutes = [rotateSecret];
