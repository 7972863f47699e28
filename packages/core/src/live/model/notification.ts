import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';

export const notificationTypeSchema = z.enum([
	'approval_pending',
	'endpoint_failure',
	'cron_failure',
	'chain_failure',
	'budget_alert',
	'usage_warning',
	'system',
]);

export const notificationSchema = z.object({
	id: recordId,
	type: notificationTypeSchema,
	title: z.string(),
	message: z.string(),
	data: z.record(z.string(), z.unknown()),
	is_read: z.boolean(),
	created_at: instantText,
});
export type Notification = z.infer<typeof notificationSchema>;

export type NotificationRecord = Notification & Readonly<{user_id: string}>;
