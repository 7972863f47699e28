import type {Migration} from './definition.ts';

/** Where people want to be told, and what is to be sent there. */
export const notificationChannels: Migration = {
	name: '0017-notification-channels',
	tables: [
		{
			name: 'notification_channels',
			columns: {
				id: 'id',
				user_id: 'id',
				name: 'text',
				type: 'code',
				url_kid: 'code',
				url_data: 'text',
				events: 'text',
				is_active: 'flag',
				created_at: 'instant',
				updated_at: 'instant',
			},
			key: ['id'],
			indexes: [['user_id', 'created_at', 'id']],
			belongs_to: {user_id: 'users'},
		},
		{
			name: 'notification_outbox',
			columns: {notification_id: 'id'},
			key: ['notification_id'],
			belongs_to: {notification_id: 'notifications'},
		},
	],
};
