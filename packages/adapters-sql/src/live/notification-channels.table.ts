import type {NotificationChannelRecord} from '@signalbox/core';
import {defineTable, flag, instant, json, sealed, text} from '../table.ts';

export const notificationChannels = defineTable<NotificationChannelRecord>('notification_channels', {
	id: text(),
	user_id: text(),
	name: text(),
	type: text(),
	url: sealed,
	events: json(),
	is_active: flag,
	created_at: instant,
	updated_at: instant,
});
