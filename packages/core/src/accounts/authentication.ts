import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller, Credential} from '../values/caller.ts';
import type {UserRecord} from './model/user.ts';
import {chooseActiveTeam} from './rules/active-team.ts';
import {parseApiKey} from './rules/api-key-text.ts';
import {hasExpired, isTouchDue} from './rules/api-key-use.ts';
import {bearerToken, credentialWords, looksLikeApiKey} from './rules/authorization.ts';

/** What the request presented. `authorization` is the whole Authorization value. */
export type Presented = Readonly<{
	authorization?: string | undefined;
	api_key?: string | undefined;
	/** The X-Team-Id header. */
	team_id?: string | undefined;
}>;

/** Who calls? */
export type Authentication = Readonly<{
	/**
	 * Authorization decides when both are present, and holds `Bearer <access token>`, never an API key. A key's
	 * `last_used_at` is updated at most once a minute. Whether the credential may do what is asked is another question:
	 * `mayUse(caller, scope)`.
	 * @throws authentication_required with nothing presented; token_expired; invalid_token for everything else that does
	 * not hold (scheme, signature, unknown or expired key, disabled user); resource_not_found for a team of others.
	 */
	authenticate(presented: Presented): Promise<Caller>;
	/**
	 * Somebody who was authenticated a while ago, as they are now. That their access token expired since does not matter.
	 * @throws invalid_token when the key is gone or expired, or the user disabled.
	 */
	renew(caller: Pick<Caller, 'user_id' | 'credential'>): Promise<Caller>;
	/** True for a credential that is ours (an `sbx_` bearer, or a JWT with our issuer, even expired): never forwarded. */
	isOurs(authorization: string): boolean;
}>;

type Needs = Pick<Ports, 'users' | 'apiKeys' | 'teams' | 'clock' | 'secrets' | 'accessTokens'>;

type Proof = Readonly<{user_id: string; credential: Credential}>;

const tokenReader =
	({accessTokens, clock}: Needs) =>
	async (authorization: string): Promise<Proof> => {
		const token = bearerToken(authorization);
		if (token === undefined) {
			throw new DomainError('invalid_token', {message: 'Write Authorization as: Bearer <access token>.'});
		}
		if (looksLikeApiKey(token)) {
			throw new DomainError('invalid_token', {message: 'An API key is sent in X-API-Key, not in Authorization.'});
		}
		const claims = await accessTokens.verify(token, clock.now());
		if (claims === 'expired') throw new DomainError('token_expired');
		if (claims === 'invalid') throw new DomainError('invalid_token');
		return {user_id: claims.user_id, credential: {kind: 'session'}};
	};

const keyReader =
	({apiKeys, secrets, clock}: Needs) =>
	async (text: string): Promise<Proof> => {
		const presented = parseApiKey(text);
		const key = presented && (await apiKeys.byPrefix(presented.prefix));
		const now = clock.now();
		const holds = key && secrets.equal(secrets.digest(presented.secret), key.secret_digest) && !hasExpired(key, now);
		if (!holds) throw new DomainError('invalid_token', {message: 'The API key is not valid.'});
		if (isTouchDue(key, now)) await apiKeys.touch(key.id, now);
		return {user_id: key.user_id, credential: {kind: 'api_key', id: key.id, scopes: key.scopes}};
	};

const callerFinder = ({users, teams}: Needs) => {
	const teamsOf = async (user: UserRecord, requested: string | undefined) => {
		const mine = await teams.forUser(user.id);
		const active = chooseActiveTeam(mine, {requested, preferred: user.active_team_id});
		if (!active.ok) throw new DomainError('resource_not_found', {message: 'X-Team-Id names no team of yours.'});
		return {team_id: active.team_id, team_ids: mine.map((team) => team.id)};
	};

	return async ({user_id, credential}: Proof, requested: string | undefined): Promise<Caller> => {
		const user = await users.byId(user_id);
		if (user === undefined || user.disabled) throw new DomainError('invalid_token');
		return {user_id, ...(await teamsOf(user, requested)), plan: user.plan, credential};
	};
};

export const createAuthentication = (needs: Needs): Authentication => {
	const readToken = tokenReader(needs);
	const readKey = keyReader(needs);
	const findCaller = callerFinder(needs);

	const prove = ({authorization, api_key}: Presented): Promise<Proof> => {
		if (authorization !== undefined) return readToken(authorization);
		if (api_key !== undefined) return readKey(api_key);
		throw new DomainError('authentication_required');
	};

	const renewed = async ({user_id, credential}: Proof): Promise<Proof> => {
		if (credential.kind === 'session') return {user_id, credential};
		const key = await needs.apiKeys.get(user_id, credential.id);
		if (key === undefined || hasExpired(key, needs.clock.now())) throw new DomainError('invalid_token');
		return {user_id, credential: {...credential, scopes: key.scopes}};
	};

	return {
		renew: async (caller) => findCaller(await renewed(caller), undefined),
		authenticate: async (presented) => findCaller(await prove(presented), presented.team_id),
		isOurs: (authorization) =>
			credentialWords(authorization).some((word) => looksLikeApiKey(word) || needs.accessTokens.isOurs(word)),
	};
};
