import type {Membership, Team, TeamMember, TeamRole} from '../../accounts/model/team.ts';
import {DomainError, teamsAreFull} from '../../errors.ts';
import type {TeamStore} from '../../ports/index.ts';
import {deleteTeam, leaveActiveTeam} from '../cascades.ts';
import {compositeKey, type MemoryDatabase} from '../database.ts';
import {by, copyOf, deleteWhere, oldestFirst, rowsWhere} from '../rows.ts';

type TeamOfMember = Team & Readonly<{role: TeamRole}>;

const teamOfMember = (db: MemoryDatabase, {team_id, role}: Membership): TeamOfMember | undefined => {
	const team = db.teams.get(team_id);
	return team === undefined ? undefined : {...team, role};
};

const memberOf = (db: MemoryDatabase, {user_id, role, created_at}: Membership): TeamMember | undefined => {
	const user = db.users.get(user_id);
	return user === undefined ? undefined : {user_id, email: user.email, name: user.name, role, created_at};
};

const isPresent = <T>(value: T | undefined): value is T => value !== undefined;

const refuseFull = (db: MemoryDatabase, user_id: string, most: number): void => {
	if (rowsWhere(db.memberships, (row) => row.user_id === user_id).length >= most) throw teamsAreFull(most);
};

const addMember = (db: MemoryDatabase, membership: Membership, most: number): void => {
	refuseFull(db, membership.user_id, most);
	const key = compositeKey(membership.team_id, membership.user_id);
	if (!db.teams.has(membership.team_id)) throw new DomainError('resource_not_found');
	if (db.memberships.has(key)) throw new DomainError('resource_exists');
	db.memberships.set(key, copyOf(membership));
};

const removeMember = (db: MemoryDatabase, team_id: string, user_id: string) => {
	const key = compositeKey(team_id, user_id);
	const membership = db.memberships.get(key);
	if (membership === undefined) return 'not_member';
	const owners = rowsWhere(db.memberships, (row) => row.team_id === team_id && row.role === 'owner');
	if (membership.role === 'owner' && owners.length === 1) return 'last_owner';
	leaveActiveTeam(db, team_id, user_id);
	deleteWhere(db.invites, (invite) => invite.team_id === team_id && invite.created_by === user_id);
	db.memberships.delete(key);
	return 'removed';
};

export const createTeamStore = (db: MemoryDatabase): TeamStore => ({
	create: async (team, owner, most) => {
		refuseFull(db, owner.user_id, most);
		db.teams.set(team.id, copyOf(team));
		db.memberships.set(compositeKey(owner.team_id, owner.user_id), copyOf(owner));
	},
	forUser: async (user_id) =>
		rowsWhere(db.memberships, (row) => row.user_id === user_id)
			.map((row) => teamOfMember(db, row))
			.filter(isPresent)
			.sort(oldestFirst),
	get: async (user_id, team_id) => {
		const membership = db.memberships.get(compositeKey(team_id, user_id));
		return membership === undefined ? undefined : teamOfMember(db, membership);
	},
	update: async (team_id, name, now) => {
		const team = db.teams.get(team_id);
		if (team === undefined) return undefined;
		db.teams.set(team_id, {...team, name, updated_at: now});
		return {...team, name, updated_at: now};
	},
	delete: async (team_id) => db.teams.get(team_id)?.is_personal === false && deleteTeam(db, team_id),
	members: async (team_id) =>
		rowsWhere(db.memberships, (row) => row.team_id === team_id)
			.map((row) => memberOf(db, row))
			.filter(isPresent)
			.sort(by('created_at', 'user_id')),
	addMember: async (membership, most) => addMember(db, membership, most),
	removeMember: async (team_id, user_id) => removeMember(db, team_id, user_id),
});
