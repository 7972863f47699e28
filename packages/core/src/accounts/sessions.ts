import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {type Instant, plusSeconds} from '../values/instant.ts';
import type {User, UserRecord} from './model/user.ts';
import {type Credentials, createPasswordProof} from './password-proof.ts';
import {userOf} from './rules/user-view.ts';

/** What register, login and refresh answer. */
export type SignedIn = Readonly<{
	access_token: string;
	refresh_token: string;
	token_type: 'Bearer';
	/** Seconds the access token lives. */
	expires_in: number;
	user: User;
}>;

/** Signing in, staying in, and out. */
export type Sessions = Readonly<{
	/**
	 * @throws invalid_credentials for an unknown address, a wrong password and a disabled user, in the same time;
	 * validation_error for what cannot be an address or a password.
	 */
	login(credentials: Credentials): Promise<SignedIn>;
	/** Opens a new refresh-token family for a user who has just proved who they are. @throws invalid_token for nobody. */
	signIn(user_id: string): Promise<SignedIn>;
	/** @throws invalid_token for an unknown, expired, revoked or replayed token, and for a disabled user. */
	refresh(refresh_token: string): Promise<SignedIn>;
	/** Revokes the token's family; an unknown token is no error. */
	logout(refresh_token: string): Promise<void>;
}>;

type Needs = Pick<Ports, 'users' | 'sessions' | 'clock' | 'ids' | 'secrets' | 'passwords' | 'accessTokens'>;

const refreshTokenBytes = 32;

const pairWriter =
	({accessTokens}: Pick<Needs, 'accessTokens'>, {access_token_seconds: expires_in}: CoreSettings) =>
	async (user: UserRecord, refresh_token: string, issued_at: Instant): Promise<SignedIn> => {
		const expires_at = plusSeconds(issued_at, expires_in);
		const access_token = await accessTokens.sign({user_id: user.id, issued_at, expires_at});
		return {access_token, refresh_token, token_type: 'Bearer', expires_in, user: userOf(user)};
	};

const familyOpener =
	({sessions, ids, secrets}: Needs, {refresh_token_seconds: lifetime_seconds}: CoreSettings) =>
	async (user_id: string): Promise<string> => {
		const refresh_token = secrets.random(refreshTokenBytes);
		const token_digest = secrets.digest(refresh_token);
		await sessions.open({id: ids.next(), family_id: ids.next(), user_id, token_digest, lifetime_seconds});
		return refresh_token;
	};

const loginWith = (needs: Needs, settings: CoreSettings): Sessions['login'] => {
	const {users, sessions, secrets, clock} = needs;
	const openFamily = familyOpener(needs, settings);
	const writePair = pairWriter(needs, settings);

	const prove = createPasswordProof(needs);

	return async (credentials) => {
		const proved = await prove(credentials);
		const refresh_token = await openFamily(proved.id);
		// A password that was changed since it was proved revoked the families of then, and not this one.
		const user = await users.byId(proved.id);
		if (user === undefined || user.disabled || user.password_hash !== proved.password_hash) {
			await sessions.revokeFamily(secrets.digest(refresh_token));
			throw new DomainError('invalid_credentials');
		}
		return writePair(user, refresh_token, clock.now());
	};
};

const refreshWith = (needs: Needs, settings: CoreSettings): Sessions['refresh'] => {
	const {users, sessions, ids, secrets} = needs;
	const writePair = pairWriter(needs, settings);
	const successorsOf = (refresh_token: string) => secrets.derive(`successor of refresh token ${refresh_token}`);

	const exchange = async (token_digest: string, successors: readonly string[]) => {
		const rotation = await sessions.rotate({
			token_digest,
			successor_id: ids.next(),
			successor_digest: secrets.digest(successors[0] ?? ''),
			lifetime_seconds: settings.refresh_token_seconds,
			grace_seconds: settings.refresh_grace_seconds,
		});
		if (rotation.outcome !== 'rotated') throw new DomainError('invalid_token');
		// Within the grace the successor may stem from a key that is no longer the newest.
		const successor = successors.find((each) => secrets.equal(secrets.digest(each), rotation.successor_digest));
		if (successor === undefined) throw new DomainError('invalid_token');
		return {successor, rotated_at: rotation.rotated_at, user_id: rotation.user_id};
	};

	return async (refresh_token) => {
		const token_digest = secrets.digest(refresh_token);
		const {successor, rotated_at, user_id} = await exchange(token_digest, successorsOf(refresh_token));
		const user = await users.byId(user_id);
		if (user === undefined || user.disabled) {
			await sessions.revokeFamily(token_digest);
			throw new DomainError('invalid_token');
		}
		// The same claims give the same token: who asks again within the grace gets the very same pair.
		return writePair(user, successor, rotated_at);
	};
};

export const createSessions = (needs: Needs, settings: CoreSettings): Sessions => {
	const {users, sessions, secrets, clock} = needs;
	const openFamily = familyOpener(needs, settings);
	const writePair = pairWriter(needs, settings);
	return {
		login: loginWith(needs, settings),
		signIn: async (user_id) => {
			const user = await users.byId(user_id);
			if (user === undefined) throw new DomainError('invalid_token');
			return writePair(user, await openFamily(user_id), clock.now());
		},
		refresh: refreshWith(needs, settings),
		logout: (refresh_token) => sessions.revokeFamily(secrets.digest(refresh_token)),
	};
};
