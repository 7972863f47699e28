import type {Membership} from '../../accounts/model/team.ts';
import type {UserRecord} from '../../accounts/model/user.ts';
import {DomainError} from '../../errors.ts';
import type {NewAccount, UserStore} from '../../ports/index.ts';
import {revokeTokens} from '../cascades.ts';
import {compositeKey, type InviteRow, type MemoryDatabase} from '../database.ts';
import {copyOf, firstWhere, merged, oldestFirst, taken} from '../rows.ts';

const addMembership = (db: MemoryDatabase, membership: Membership): void => {
	db.memberships.set(compositeKey(membership.team_id, membership.user_id), membership);
};

const usableInvite = (db: MemoryDatabase, digest: string): InviteRow => {
	const invite = db.invites.get(digest);
	const maker = invite && db.users.get(invite.created_by);
	if (invite === undefined || invite.used || invite.expires_at <= db.now() || maker?.disabled !== false) {
		throw new DomainError('forbidden', {
			message: 'The invite is unknown, used or expired, or is of somebody who is disabled.',
		});
	}
	return invite;
};

const findByEmail = (db: MemoryDatabase, email_key: string): UserRecord | undefined =>
	firstWhere(db.users, (user) => user.email_key === email_key);

const createAccount = (db: MemoryDatabase, {user, team, invite_digest, only_if_first}: NewAccount): boolean => {
	if (only_if_first && db.users.size > 0) return false;
	// The invite first: who has none must not learn which addresses have accounts.
	const invite = invite_digest === undefined ? undefined : usableInvite(db, invite_digest);
	if (findByEmail(db, user.email_key) !== undefined) throw taken('email');
	const joined = {user_id: user.id, created_at: user.created_at};
	db.users.set(user.id, copyOf(user));
	db.teams.set(team.id, copyOf(team));
	addMembership(db, {...joined, team_id: team.id, role: 'owner'});
	if (invite !== undefined) {
		db.invites.set(invite.token_digest, {...invite, used: true});
		addMembership(db, {...joined, team_id: invite.team_id, role: 'member'});
	}
	return true;
};

export const createUserStore = (db: MemoryDatabase): UserStore => ({
	create: async (account) => createAccount(db, account),
	byId: async (user_id) => copyOf(db.users.get(user_id)),
	byEmail: async (email_key) => copyOf(findByEmail(db, email_key)),
	update: async (user_id, change, now) => {
		const user = db.users.get(user_id);
		if (user === undefined) return undefined;
		const changed = {...merged<UserRecord>(user, change), updated_at: now};
		db.users.set(user_id, changed);
		return copyOf(changed);
	},
	changePassword: async (user_id, {from, to}, now) => {
		const user = db.users.get(user_id);
		if (user === undefined || (from !== undefined && user.password_hash !== from)) return false;
		db.users.set(user_id, {...user, password_hash: to, updated_at: now});
		revokeTokens(db, {user_id});
		return true;
	},
	all: async () => [...db.users.values()].sort(oldestFirst).map(copyOf),
});
