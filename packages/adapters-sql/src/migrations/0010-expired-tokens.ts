import type {Migration} from './definition.ts';

/** What finds the refresh tokens that have expired, without a look at all others. */
export const expiredTokens: Migration = {
	name: '0010-expired-tokens',
	indexes: [{table: 'refresh_tokens', columns: ['expires_at']}],
};
