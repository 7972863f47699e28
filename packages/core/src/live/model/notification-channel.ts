import {z} from 'zod';
import type {Sealed} from '../../values/sealed.ts';
import {instantText, nameText, recordId} from '../../values/text.ts';
import {notificationTypeSchema} from './notification.ts';

/** Most that a user may have: each notification of a type goes to all that want it. */
export const mostNotificationChannels = 20;

export const channelTypeSchema = z.enum(['webhook', 'slack']);

export const notificationChannelSchema = z.object({
	id: recordId,
	/** For people, who may have several of one type. */
	name: nameText,
	type: channelTypeSchema,
	/** Of the type `slack` masked from the path on: whoever knows it may write there. */
	url: z.string(),
	/** Types of notifications that go there. */
	events: z.array(notificationTypeSchema),
	is_active: z.boolean(),
	created_at: instantText,
	updated_at: instantText,
});
/** Where a person is told, besides the list of their notifications. */
export type NotificationChannel = z.infer<typeof notificationChannelSchema>;

export type NotificationChannelRecord = Omit<NotificationChannel, 'url'> & Readonly<{user_id: string; url: Sealed}>;
