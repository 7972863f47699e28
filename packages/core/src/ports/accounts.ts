import type {ApiKeyRecord} from '../accounts/model/api-key.ts';
import type {RefreshToken, Rotation} from '../accounts/model/session.ts';
import type {Invite, Membership, Team, TeamMember, TeamRole} from '../accounts/model/team.ts';
import type {UserRecord} from '../accounts/model/user.ts';
import type {Instant} from '../values/instant.ts';
import type {Sealed} from '../values/sealed.ts';

export type NewAccount = Readonly<{
	user: UserRecord;
	/** The personal team; the user becomes its owner. */
	team: Team;
	/** Digest of an invite token to consume with it: an unknown, used or expired one rejects with `forbidden`. */
	invite_digest?: string | undefined;
	/** Make it only while no account exists at all; otherwise answer false. */
	only_if_first?: boolean;
}>;

/** Accounts. Addresses are unique by `email_key`. */
export type UserStore = Readonly<{
	/**
	 * User, personal team and membership, and the consumed invite (whose team the user joins as a member), or nothing.
	 * @throws resource_exists when the address is taken; forbidden when the invite does not hold.
	 */
	create(account: NewAccount): Promise<boolean>;
	byId(user_id: string): Promise<UserRecord | undefined>;
	byEmail(email_key: string): Promise<UserRecord | undefined>;
	/** @returns the changed record, or undefined when there is no such user. */
	update(
		user_id: string,
		change: Readonly<{name?: string | null; plan?: string; active_team_id?: string; disabled?: boolean}>,
		now: Instant,
	): Promise<UserRecord | undefined>;
	/** Sets the hash `to`, if it still is `from` (left out: whatever it is), and revokes every refresh token of the user, together. */
	changePassword(user_id: string, change: Readonly<{from?: string; to: string}>, now: Instant): Promise<boolean>;
	/** Oldest first, for operators. */
	all(): Promise<readonly UserRecord[]>;
}>;

/** Refresh tokens. Expiry and grace are judged by the store's clock. */
export type SessionStore = Readonly<{
	/** The first token of a new family; `expires_at` is the store's now plus the lifetime. */
	open(
		token: Readonly<{id: string; family_id: string; user_id: string; token_digest: string; lifetime_seconds: number}>,
	): Promise<void>;
	/**
	 * Exchanges a token for its successor, at most once: of parallel uses one makes the successor, the others within
	 * `grace_seconds` are answered the same. Later uses revoke the family. A revoked family is always refused.
	 */
	rotate(
		exchange: Readonly<{
			token_digest: string;
			successor_id: string;
			successor_digest: string;
			lifetime_seconds: number;
			grace_seconds: number;
		}>,
	): Promise<Rotation>;
	/** Revokes the family of that token. Unknown: nothing happens. */
	revokeFamily(token_digest: string): Promise<void>;
	/** The usable heads of a user's families. */
	active(user_id: string): Promise<readonly RefreshToken[]>;
	/** Forgets tokens that have expired, and families that have no other. @returns how many tokens went. */
	purge(): Promise<number>;
}>;

export type ApiKeyStore = Readonly<{
	/** @throws plan_limit_reached when the user already has `limit` keys (null: no limit), also under parallel calls. */
	create(key: ApiKeyRecord, limit: number | null): Promise<void>;
	byPrefix(prefix: string): Promise<ApiKeyRecord | undefined>;
	get(user_id: string, id: string): Promise<ApiKeyRecord | undefined>;
	/** Oldest first. */
	list(user_id: string): Promise<readonly ApiKeyRecord[]>;
	delete(user_id: string, id: string): Promise<boolean>;
	touch(id: string, now: Instant): Promise<void>;
}>;

/** Teams. Every method names the member on whose behalf it reads; owner rights are the service's to check. */
export type TeamStore = Readonly<{
	/**
	 * The team with its first owner.
	 * @throws conflict when the owner is in `most` teams already, also under parallel calls.
	 */
	create(team: Team, owner: Membership, most: number): Promise<void>;
	/** Teams the user belongs to, oldest first, with the user's role. */
	forUser(user_id: string): Promise<readonly (Team & Readonly<{role: TeamRole}>)[]>;
	/** Undefined when the user is no member. */
	get(user_id: string, team_id: string): Promise<(Team & Readonly<{role: TeamRole}>) | undefined>;
	update(team_id: string, name: string, now: Instant): Promise<Team | undefined>;
	/**
	 * Deletes a team that is not personal, with its servers, calls, approvals and variables; members whose active team it
	 * was fall back to their personal one.
	 */
	delete(team_id: string): Promise<boolean>;
	members(team_id: string): Promise<readonly TeamMember[]>;
	/** @throws resource_exists when the user is a member already; conflict for a user of `most` teams, as `create`. */
	addMember(membership: Membership, most: number): Promise<void>;
	/**
	 * Never the last owner: answers `last_owner`. The member's active team falls back to the personal one, and the invites
	 * they made into the team no longer hold.
	 */
	removeMember(team_id: string, user_id: string): Promise<'removed' | 'not_member' | 'last_owner'>;
}>;

export type InviteStore = Readonly<{
	create(invite: Omit<Invite, 'created_at' | 'expires_at'>, lifetime_seconds: number): Promise<Invite>;
}>;

export type IdempotentAnswer = Readonly<{status: number; body: Sealed}>;

/** First answers of requests that carried an `Idempotency-Key`, kept for 24 h by the store's clock. */
export type IdempotencyStore = Readonly<{
	/** Claims the key for this request, or says what an earlier one with it left. One of parallel calls is `fresh`. */
	begin(
		user_id: string,
		key: string,
		request_digest: string,
	): Promise<
		| Readonly<{state: 'fresh'}>
		| Readonly<{state: 'running'}>
		| Readonly<{state: 'done'; answer: IdempotentAnswer}>
		| Readonly<{state: 'mismatch'}>
	>;
	complete(user_id: string, key: string, answer: IdempotentAnswer): Promise<void>;
	/** Gives the claim back, unless it was answered: the request failed before it did anything. */
	forget(user_id: string, key: string): Promise<void>;
	/** Drops expired answers, and those that `kid` did not seal when it is given. @returns how many. */
	purge(kid?: string): Promise<number>;
}>;
