import type {Migration} from './definition.ts';

/** Devices that wait for somebody to confirm, in a browser, that they may act for them. */
export const deviceLogins: Migration = {
	name: '0006-device-logins',
	tables: [
		{
			name: 'device_logins',
			columns: {
				id: 'id',
				user_code: 'code',
				device_name: 'text',
				code_challenge: 'code',
				redirect_uri: 'text',
				state: 'text',
				created_at: 'instant',
				expires_at: 'instant',
				user_id: 'id?',
				code_digest: 'code?',
			},
			key: ['id'],
			indexes: [['expires_at']],
			belongs_to: {user_id: 'users'},
		},
	],
};
