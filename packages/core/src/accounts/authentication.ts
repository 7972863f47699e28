import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Caller} from '../values/caller.ts';

/** What the request presented. `bearer` is the whole Authorization value. */
export type Presented = Readonly<{
	authorization?: string | undefined;
	api_key?: string | undefined;
	/** The X-Team-Id header. */
	team_id?: string | undefined;
}>;

/** Who calls? */
export type Authentication = Readonly<{
	/**
	 * Authorization decides when both are present. A key's `last_used_at` is updated at most once a minute.
	 * @throws authentication_required with nothing presented; token_expired; invalid_token for everything else that does
	 * not hold (scheme, signature, unknown or expired key, disabled user); resource_not_found for a team of others.
	 */
	authenticate(presented: Presented): Promise<Caller>;
	/** True for a credential that is ours (an `sbx_` bearer, or a JWT with our issuer, even expired): never forwarded. */
	isOurs(authorization: string): boolean;
}>;

export const createAuthentication = (
	_needs: Pick<Ports, 'users' | 'apiKeys' | 'teams' | 'clock' | 'secrets' | 'accessTokens'>,
	_settings: CoreSettings,
): Authentication => {
	throw new Error('not built');
};
