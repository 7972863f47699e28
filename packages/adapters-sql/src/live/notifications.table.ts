import type {NotificationRecord} from '@signalbox/core';
import {defineTable, flag, instant, json, text} from '../table.ts';

export const notifications = defineTable<NotificationRecord>('notifications', {
	id: text(),
	user_id: text(),
	type: text(),
	title: text(),
	message: text(),
	data: json(),
	is_read: flag,
	created_at: instant,
});
