import {z} from 'zod';
import {nameText} from '../../values/text.ts';
import {notificationTypeSchema} from './notification.ts';
import {channelTypeSchema} from './notification-channel.ts';

export const channelSettingsSchema = z.strictObject({
	/** That of its type by default. */
	name: nameText.optional(),
	/** Http or https, without `{{env.KEY}}`. Its mask keeps what is stored. */
	url: z.string().min(1).max(2048).optional(),
	/** All types by default. */
	events: z.array(notificationTypeSchema).min(1).max(notificationTypeSchema.options.length).optional(),
	/** True by default. */
	is_active: z.boolean().optional(),
});
/** What a request may set on a channel. What is left out keeps its value; on create, it has its default. */
export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

export const newChannelSchema = channelSettingsSchema.extend({
	type: channelTypeSchema,
	url: channelSettingsSchema.shape.url.unwrap(),
});
export type NewChannel = z.infer<typeof newChannelSchema>;
