import {type Team, type TeamStore, teamsAreFull} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {unlinkChains} from '../cron/linked-chains.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {type Sql, sql} from '../sql.ts';
import {memberships, teamMember, teamOfMember, teams} from './teams.table.ts';

const ofMember = (user_id: string): Sql => sql`
	SELECT ${teams.columnsOf('t')}, m.role
	FROM memberships m JOIN teams t ON t.id = m.team_id WHERE m.user_id = ${user_id}`;

const membersOf = (team_id: string): Sql => sql`
	SELECT m.user_id, u.email, u.name, m.role, m.created_at
	FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.team_id = ${team_id} ORDER BY m.created_at, m.user_id`;

const refuseFull = async (transaction: Transaction, user_id: string, most: number): Promise<void> => {
	await lockRow(transaction, 'users', user_id);
	const existing = sql`SELECT COUNT(*) AS count FROM memberships WHERE user_id = ${user_id}`;
	if ((await count(transaction, existing)) >= most) throw teamsAreFull(most);
};

/** Users whose active team it is get their personal team back. */
const fallBack = (team_id: string, who: Sql): Sql => sql`
	UPDATE users SET active_team_id = COALESCE((
		SELECT t.id FROM memberships m JOIN teams t ON t.id = m.team_id
		WHERE m.user_id = users.id AND m.role = 'owner' AND t.is_personal = 1 ORDER BY t.created_at LIMIT 1
	), active_team_id) WHERE ${who} AND active_team_id = ${team_id}`;

/** Servers, calls, approvals, variables, invites and memberships go with their team by their foreign keys. */
const deleteTeam = async (transaction: Transaction, team_id: string): Promise<boolean> => {
	const shared = sql`id = ${team_id} AND is_personal = 0`;
	await lockRow(transaction, 'teams', team_id);
	if (!(await first(transaction, sql`SELECT id FROM teams WHERE ${shared}`))) return false;
	await transaction.run(fallBack(team_id, sql`id IN (SELECT user_id FROM memberships WHERE team_id = ${team_id})`));
	await unlinkChains(transaction, sql`team_id = ${team_id}`);
	return (await transaction.run(sql`DELETE FROM teams WHERE ${shared}`)) > 0;
};

const removeMember = async (transaction: Transaction, team_id: string, user_id: string) => {
	await lockRow(transaction, 'teams', team_id);
	const one = sql`team_id = ${team_id} AND user_id = ${user_id}`;
	const member = await first(transaction, sql`SELECT role FROM memberships WHERE ${one}`);
	if (!member) return 'not_member';
	const owners = sql`SELECT COUNT(*) AS count FROM memberships WHERE team_id = ${team_id} AND role = 'owner'`;
	if (member.role === 'owner' && (await count(transaction, owners)) === 1) return 'last_owner';
	await transaction.run(fallBack(team_id, sql`id = ${user_id}`));
	await transaction.run(sql`DELETE FROM invites WHERE team_id = ${team_id} AND created_by = ${user_id}`);
	await transaction.run(sql`DELETE FROM memberships WHERE ${one}`);
	return 'removed';
};

const renameTeam = async (transaction: Transaction, id: string, change: Pick<Team, 'name' | 'updated_at'>) => {
	const update = sql`UPDATE teams SET ${teams.set(change)} WHERE id = ${id}`;
	const row = await guardedUpdate(transaction, update, sql`SELECT ${teams.columns} FROM teams WHERE id = ${id}`);
	return row && teams.read(row);
};

/** Put in order here: MariaDB would take a temporary table on its disk for it, at each request of a user. */
const oldestFirst = (a: Team, b: Team): number =>
	(a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at) ? -1 : 1;

export const createTeamStore = (connection: Connection): TeamStore => ({
	create: async (team, owner, most) =>
		connection.write(async (transaction) => {
			await refuseFull(transaction, owner.user_id, most);
			await transaction.run(teams.insert([team]));
			await transaction.run(memberships.insert([owner]));
		}),
	forUser: async (user_id) => {
		const rows = await connection.all(ofMember(user_id));
		return rows.map(teamOfMember.read).sort(oldestFirst);
	},
	get: async (user_id, team_id) => {
		const row = await first(connection, sql`${ofMember(user_id)} AND m.team_id = ${team_id}`);
		return row && teamOfMember.read(row);
	},
	update: async (team_id, name, now) =>
		connection.write(async (transaction) => renameTeam(transaction, team_id, {name, updated_at: now})),
	delete: async (team_id) => connection.write(async (transaction) => deleteTeam(transaction, team_id)),
	members: async (team_id) => (await connection.all(membersOf(team_id))).map(teamMember.read),
	addMember: async (membership, most) =>
		connection.write(async (transaction) => {
			await refuseFull(transaction, membership.user_id, most);
			await transaction.run(memberships.insert([membership]));
		}),
	removeMember: async (team_id, user_id) =>
		connection.write(async (transaction) => removeMember(transaction, team_id, user_id)),
});
