import {userSchema} from '@signalbox/core';
import {z} from 'zod';

const exampleUser = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
	email: 'ada@example.com',
	name: 'Ada',
	plan: 'self_hosted',
	active_team_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a02',
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
};

export const userView = userSchema.meta({id: 'User', examples: [exampleUser]});

export const signedInView = z
	.object({
		access_token: z.string().meta({description: 'Send it as `Authorization: Bearer …`.'}),
		refresh_token: z.string().optional().meta({description: 'Left out when a cookie keeps it.'}),
		token_type: z.literal('Bearer'),
		expires_in: z.int().meta({description: 'Seconds the access token lives.'}),
		user: userView,
	})
	.meta({
		id: 'SignedIn',
		examples: [
			{
				access_token: 'eyJhbGciOi…',
				refresh_token: 'a-refresh-token',
				token_type: 'Bearer',
				expires_in: 900,
				user: exampleUser,
			},
		],
	});
