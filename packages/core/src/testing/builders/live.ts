import type {AuditEntry} from '../../live/model/audit-entry.ts';
import type {NotificationRecord} from '../../live/model/notification.ts';
import type {NotificationChannelRecord} from '../../live/model/notification-channel.ts';
import {buildSealed} from './environment.ts';
import {buildId, builtAt} from './identity.ts';

export const buildAuditEntry = (fields: Pick<AuditEntry, 'team_id' | 'user_id'> & Partial<AuditEntry>): AuditEntry => ({
	id: buildId(),
	api_key_id: null,
	action: 'mcp_server.created',
	target_id: buildId(),
	data: {},
	created_at: builtAt,
	...fields,
});

export const buildNotification = (
	fields: Pick<NotificationRecord, 'user_id'> & Partial<NotificationRecord>,
): NotificationRecord => ({
	id: buildId(),
	type: 'approval_pending',
	title: 'A call waits',
	message: 'send_email waits for a decision.',
	data: {},
	is_read: false,
	created_at: builtAt,
	...fields,
});

export const buildNotificationChannel = (
	fields: Pick<NotificationChannelRecord, 'user_id'> & Partial<NotificationChannelRecord>,
): NotificationChannelRecord => ({
	id: buildId(),
	name: 'Webhook',
	type: 'webhook',
	url: buildSealed(),
	events: ['approval_pending'],
	is_active: true,
	created_at: builtAt,
	updated_at: builtAt,
	...fields,
});
