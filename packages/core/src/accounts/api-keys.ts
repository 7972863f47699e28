import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Caller, KeyScope} from '../values/caller.ts';
import type {ApiKey} from './model/api-key.ts';

/** Long-lived keys of the caller. */
export type ApiKeys = Readonly<{
	/**
	 * `key` is the whole key, answered here and never again. Scopes default to `["api"]`.
	 * @throws forbidden for a scope that the calling key lacks; plan_limit_reached; validation_error for a past expires_at.
	 */
	create(
		caller: Caller,
		request: Readonly<{name: string; expires_at?: string | undefined; scopes?: readonly KeyScope[] | undefined}>,
	): Promise<ApiKey & Readonly<{key: string}>>;
	list(caller: Caller): Promise<readonly ApiKey[]>;
	/** @throws resource_not_found */
	get(caller: Caller, id: string): Promise<ApiKey>;
	/** @throws resource_not_found */
	delete(caller: Caller, id: string): Promise<void>;
}>;

export const createApiKeys = (
	_needs: Pick<Ports, 'apiKeys' | 'audit' | 'clock' | 'ids' | 'secrets'>,
	_settings: CoreSettings,
): ApiKeys => {
	throw new Error('not built');
};
