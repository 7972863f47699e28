import {type AuditTrail, createAuditTrail} from '../audit-trail.ts';
import {demandScope} from '../demand-scope.ts';
import {DomainError, invalidField} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {emailKeyOf} from '../values/email.ts';
import {schemaProblem} from '../values/schema-problems.ts';
import {nameText} from '../values/text.ts';
import {type Team, type TeamMember, type TeamRole, teamRoleSchema} from './model/team.ts';
import type {User, UserRecord} from './model/user.ts';
import {judgeTeamChange, mayRemoveMember, type TeamVerdict} from './rules/team-rights.ts';
import {userOf} from './rules/user-view.ts';

export type TeamOfCaller = Team & Readonly<{role: TeamRole}>;
export type TeamWithMembers = TeamOfCaller & Readonly<{members: readonly TeamMember[]}>;

/** Teams of the caller. Teams of others are resource_not_found; owner actions by members are forbidden. */
export type Teams = Readonly<{
	list(caller: Caller): Promise<readonly TeamOfCaller[]>;
	/** @throws conflict for a caller of 1,000 teams. */
	create(caller: Caller, request: Readonly<{name: string}>): Promise<TeamWithMembers>;
	get(caller: Caller, id: string): Promise<TeamWithMembers>;
	update(caller: Caller, id: string, request: Readonly<{name?: string | undefined}>): Promise<TeamWithMembers>;
	/** @throws conflict for a personal team. */
	delete(caller: Caller, id: string): Promise<void>;
	/**
	 * @throws resource_not_found when no account has the address (field email); resource_exists for a member; conflict for
	 * a personal team, and for a user of 1,000 teams; forbidden with an API key that lacks the scope `approvals`.
	 */
	addMember(caller: Caller, id: string, request: Readonly<{email: string; role: TeamRole}>): Promise<TeamMember>;
	/** Owners remove anyone, members themselves; invites they made hold no longer. @throws conflict for the last owner. */
	removeMember(caller: Caller, id: string, user_id: string): Promise<void>;
	/** Makes it the caller's active team. */
	activate(caller: Caller, id: string): Promise<User>;
	/**
	 * A single-use token for one registration, valid 7 days; answered here and never again.
	 * @throws conflict for a personal team: who registers with it joins the team; forbidden with an API key that lacks the
	 * scope `approvals`.
	 */
	invite(caller: Caller, id: string): Promise<Readonly<{id: string; token: string; expires_at: string}>>;
}>;

type Needs = Pick<Ports, 'teams' | 'users' | 'invites' | 'audit' | 'signals' | 'clock' | 'ids' | 'secrets'>;

const inviteBytes = 32;
const inviteSeconds = 7 * 24 * 3600;

/** Anybody may put anybody into their teams, and each request of a user reads all of theirs. */
const maxTeams = 1000;

const checkName = (name: string): void => {
	const problem = schemaProblem(nameText, name);
	if (problem !== undefined) throw invalidField('name', problem);
};

const enforce = (verdict: TeamVerdict): void => {
	if (verdict === 'owners_only')
		throw new DomainError('forbidden', {message: 'Only an owner of the team may do that.'});
	if (verdict === 'personal_team') {
		throw new DomainError('conflict', {
			message: 'A personal team stays, and stays yours alone: create a team instead.',
		});
	}
};

/** Who joins may decide approvals in a session of their own: a key that may not decide brings in nobody who may. */
const refuseKeyWithoutApprovals = (caller: Caller): void =>
	demandScope(caller, 'approvals', 'Bringing people into a team');

const teamFinder =
	({teams}: Needs) =>
	async ({user_id}: Caller, id: string): Promise<TeamOfCaller> => {
		const team = await teams.get(user_id, id);
		if (team === undefined) throw new DomainError('resource_not_found');
		return team;
	};

/** Teams themselves: create, rename, delete. */
const teamEditor = (needs: Needs, record: AuditTrail): Pick<Teams, 'create' | 'get' | 'update' | 'delete'> => {
	const {teams, clock, ids} = needs;
	const find = teamFinder(needs);
	const get: Teams['get'] = async (caller, id) => ({...(await find(caller, id)), members: await teams.members(id)});

	return {
		get,
		create: async (caller, {name}) => {
			checkName(name);
			const [id, now] = [ids.next(), clock.now()];
			const owner = {team_id: id, user_id: caller.user_id, role: 'owner', created_at: now} as const;
			await teams.create({id, name, is_personal: false, created_at: now, updated_at: now}, owner, maxTeams);
			await record(caller, {action: 'team.created', target_id: id, team_id: id});
			return get(caller, id);
		},
		update: async (caller, id, {name}) => {
			enforce(judgeTeamChange(await find(caller, id), 'rename'));
			if (name === undefined) return get(caller, id);
			checkName(name);
			await teams.update(id, name, clock.now());
			await record(caller, {action: 'team.updated', target_id: id, team_id: id, data: {fields: ['name']}});
			return get(caller, id);
		},
		delete: async (caller, id) => {
			enforce(judgeTeamChange(await find(caller, id), 'delete'));
			// What was called through its servers goes with it.
			demandScope(caller, 'approvals', 'Deleting a team, and its call logs with it,');
			if (!(await teams.delete(id))) throw new DomainError('resource_not_found');
			needs.signals.publish({type: 'team.deleted', team_id: id});
			// The record of a team that is gone would be read by nobody.
			const personal = (await teams.forUser(caller.user_id)).find((team) => team.is_personal);
			await record(caller, {action: 'team.deleted', target_id: id, team_id: personal?.id});
		},
	};
};

const memberAdder = (needs: Needs, record: AuditTrail): Teams['addMember'] => {
	const {teams, users, clock} = needs;
	const find = teamFinder(needs);

	const userBy = async (email: string): Promise<UserRecord> => {
		const user = await users.byEmail(emailKeyOf(email));
		if (user !== undefined) return user;
		const message = 'No account has this address.';
		throw new DomainError('resource_not_found', {message, details: [{path: 'email', message}]});
	};

	const isMember = (cause: DomainError): DomainError => {
		const message = 'The user is a member of this team already.';
		return new DomainError('resource_exists', {message, details: [{path: 'email', message}], cause});
	};

	return async (caller, id, {email, role}) => {
		refuseKeyWithoutApprovals(caller);
		enforce(judgeTeamChange(await find(caller, id), 'add_people'));
		if (!teamRoleSchema.safeParse(role).success) {
			throw invalidField('role', `must be one of ${teamRoleSchema.options.join(', ')}`);
		}
		const user = await userBy(email);
		const created_at = clock.now();
		await teams.addMember({team_id: id, user_id: user.id, role, created_at}, maxTeams).catch((error) => {
			throw error instanceof DomainError && error.reason === 'resource_exists' ? isMember(error) : error;
		});
		await record(caller, {action: 'team.member_added', target_id: user.id, team_id: id, data: {role}});
		return {user_id: user.id, email: user.email, name: user.name, role, created_at};
	};
};

const memberRemover = (needs: Needs, record: AuditTrail): Teams['removeMember'] => {
	const find = teamFinder(needs);
	return async (caller, id, user_id) => {
		const team = await find(caller, id);
		if (!mayRemoveMember(team, {caller_id: caller.user_id, member_id: user_id})) enforce('owners_only');
		const outcome = await needs.teams.removeMember(id, user_id);
		if (outcome === 'not_member') throw new DomainError('resource_not_found');
		if (outcome === 'last_owner') {
			throw new DomainError('conflict', {message: 'A team keeps its last owner: make somebody else an owner first.'});
		}
		await record(caller, {action: 'team.member_removed', target_id: user_id, team_id: id});
	};
};

const inviter = (needs: Needs, record: AuditTrail): Teams['invite'] => {
	const {invites, ids, secrets} = needs;
	const find = teamFinder(needs);
	return async (caller, id) => {
		refuseKeyWithoutApprovals(caller);
		enforce(judgeTeamChange(await find(caller, id), 'add_people'));
		const token = secrets.random(inviteBytes);
		const invite = await invites.create(
			{id: ids.next(), team_id: id, created_by: caller.user_id, token_digest: secrets.digest(token)},
			inviteSeconds,
		);
		await record(caller, {action: 'team.invite_created', target_id: invite.id, team_id: id});
		return {id: invite.id, token, expires_at: invite.expires_at};
	};
};

export const createTeams = (needs: Needs): Teams => {
	const {teams, users, clock} = needs;
	const record = createAuditTrail(needs);
	const find = teamFinder(needs);
	return {
		...teamEditor(needs, record),
		list: ({user_id}) => teams.forUser(user_id),
		addMember: memberAdder(needs, record),
		removeMember: memberRemover(needs, record),
		activate: async (caller, id) => {
			const team = await find(caller, id);
			const user = await users.update(caller.user_id, {active_team_id: team.id}, clock.now());
			if (user === undefined) throw new DomainError('resource_not_found');
			return userOf(user);
		},
		invite: inviter(needs, record),
	};
};
