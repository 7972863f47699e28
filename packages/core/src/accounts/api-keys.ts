import {z} from 'zod';
import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidField, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import {type Caller, type KeyScope, mayUse} from '../values/caller.ts';
import {type Instant, instantOf, millisecondsOf} from '../values/instant.ts';
import {schemaProblems} from '../values/schema-problems.ts';
import {instantText, nameText} from '../values/text.ts';
import {type ApiKey, type ApiKeyRecord, keyScopeSchema} from './model/api-key.ts';
import {formatApiKey, keyPrefixOf, maskedApiKey} from './rules/api-key-text.ts';
import {hasExpired} from './rules/api-key-use.ts';
import {apiKeyOf} from './rules/api-key-view.ts';

export type NewApiKey = Readonly<{
	name: string;
	expires_at?: string | undefined;
	scopes?: readonly KeyScope[] | undefined;
}>;

/** Long-lived keys of the caller. */
export type ApiKeys = Readonly<{
	/**
	 * `key` is the whole key, answered here and never again. Scopes default to `["api"]`.
	 * What a key makes has no scope that it lacks, nor `approvals`, and expires no later than it does.
	 * @throws forbidden for such a scope; plan_limit_reached; validation_error for an expires_at that is past, or too late.
	 */
	create(caller: Caller, request: NewApiKey): Promise<ApiKey & Readonly<{key: string}>>;
	list(caller: Caller): Promise<readonly ApiKey[]>;
	/** @throws resource_not_found */
	get(caller: Caller, id: string): Promise<ApiKey>;
	/** Takes effect at once. @throws resource_not_found */
	delete(caller: Caller, id: string): Promise<void>;
}>;

type Needs = Pick<Ports, 'apiKeys' | 'audit' | 'clock' | 'ids' | 'secrets'>;

const secretBytes = 32;

const newApiKeySchema = z.object({
	name: nameText,
	expires_at: instantText.optional(),
	scopes: z.array(keyScopeSchema).min(1).default(['api']),
});

const read = (request: NewApiKey, now: Instant) => {
	const parsed = newApiKeySchema.safeParse(request);
	if (!parsed.success) throw invalidFields(schemaProblems(parsed.error));
	const {name, scopes, expires_at: given} = parsed.data;
	const expires_at = given === undefined ? null : instantOf(millisecondsOf(given));
	if (hasExpired({expires_at}, now)) throw invalidField('expires_at', 'must be in the future');
	return {name, scopes: [...new Set(scopes)], expires_at};
};

const checkScopes = (caller: Caller, scopes: readonly KeyScope[]): void => {
	const lacking = scopes.filter((scope) => !mayUse(caller, scope));
	if (lacking.length === 0) return;
	throw new DomainError('forbidden', {message: `A key makes no key with a scope it lacks: ${lacking.join(', ')}.`});
};

/** A key that calls tools cannot approve its own calls: it must not do so by a twin that it makes. */
const refuseTwin = ({credential}: Caller, scopes: readonly KeyScope[]): void => {
	if (credential.kind === 'session' || !scopes.includes('approvals')) return;
	throw new DomainError('forbidden', {message: 'Only who is signed in makes keys with the scope approvals.'});
};

/** What a key makes expires no later than it does itself. */
const expiryUnder = (maker: ApiKeyRecord | undefined, wanted: Instant | null): Instant | null => {
	const latest = maker?.expires_at ?? null;
	if (latest === null || wanted === null) return wanted ?? latest;
	if (wanted <= latest) return wanted;
	throw invalidField('expires_at', `must not be after ${latest}, when the key that makes it expires`);
};

const prefixMaker =
	({secrets}: Pick<Needs, 'secrets'>) =>
	(): string => {
		for (;;) {
			const prefix = keyPrefixOf(secrets.random(secretBytes));
			if (prefix !== undefined) return prefix;
		}
	};

const keyMaker = (needs: Needs, settings: CoreSettings): ApiKeys['create'] => {
	const {apiKeys, clock, ids, secrets} = needs;
	const record = createAuditTrail(needs);
	const makePrefix = prefixMaker(needs);
	return async (caller, request) => {
		const now = clock.now();
		const wanted = read(request, now);
		checkScopes(caller, wanted.scopes);
		refuseTwin(caller, wanted.scopes);
		const {credential, user_id} = caller;
		const maker = credential.kind === 'api_key' ? await apiKeys.get(user_id, credential.id) : undefined;
		const [prefix, secret] = [makePrefix(), secrets.random(secretBytes)];
		const key: ApiKeyRecord = {
			...wanted,
			expires_at: expiryUnder(maker, wanted.expires_at),
			id: ids.next(),
			user_id,
			prefix,
			masked_key: maskedApiKey(prefix),
			secret_digest: secrets.digest(secret),
			last_used_at: null,
			created_at: now,
		};
		await apiKeys.create(key, planOf(settings, caller.plan).api_keys);
		await record(caller, {action: 'api_key.created', target_id: key.id, data: {scopes: key.scopes}});
		return {...apiKeyOf(key), key: formatApiKey({prefix, secret})};
	};
};

export const createApiKeys = (needs: Needs, settings: CoreSettings): ApiKeys => {
	const {apiKeys} = needs;
	const record = createAuditTrail(needs);
	return {
		create: keyMaker(needs, settings),
		list: async ({user_id}) => (await apiKeys.list(user_id)).map(apiKeyOf),
		get: async ({user_id}, id) => {
			const key = await apiKeys.get(user_id, id);
			if (key === undefined) throw new DomainError('resource_not_found');
			return apiKeyOf(key);
		},
		delete: async (caller, id) => {
			if (!(await apiKeys.delete(caller.user_id, id))) throw new DomainError('resource_not_found');
			await record(caller, {action: 'api_key.deleted', target_id: id});
		},
	};
};
