import type {TeamRole} from '../../accounts/model/team.ts';
import {buildAccount, buildInvite, buildMembership, buildTeam} from '../builders/accounts.ts';
import {buildVariable} from '../builders/environment.ts';
import {buildId} from '../builders/identity.ts';
import {buildAuditEntry} from '../builders/live.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, idsOf, parallel, reasonOf, type Tenant, tally} from './world.ts';

const later = '2026-02-01T08:00:00.000Z';

const join = ({stores}: ContractWorld, team_id: string, {user_id, role = 'member'}: Tenant & {role?: TeamRole}) =>
	stores.teams.addMember(buildMembership({team_id, user_id, role}), 1000);

export const teams: Contract = {
	subject: 'teams',
	cases: {
		'a created team has its first owner, and only members see it': async (t, {stores, addTenant, addTeam}) => {
			const [owner, other] = [await addTenant(), await addTenant()];
			const team = await addTeam(owner);
			t.deepEqual(await stores.teams.get(owner.user_id, team.id), {...team, role: 'owner'});
			t.is(await stores.teams.get(other.user_id, team.id), undefined);
			t.is(await stores.teams.get(owner.user_id, buildId()), undefined);
			t.deepEqual(idsOf(await stores.teams.forUser(other.user_id)), other.team_ids);
		},
		'the teams of a user come oldest first, equally old ones by id, each with the role in it': async (t, world) => {
			const [owner, user] = [await world.addTenant(), await world.addTenant()];
			const second = await world.addTeam(owner, {created_at: later});
			const first = await world.addTeam(owner, {created_at: later, id: second.id.replace('019c', '019b')});
			await join(world, second.id, user);
			await join(world, first.id, {...user, role: 'owner'});
			const listed = await world.stores.teams.forUser(user.user_id);
			t.deepEqual(idsOf(listed), [user.team_id, first.id, second.id]);
			t.deepEqual(
				listed.map((team) => team.role),
				['owner', 'owner', 'member'],
			);
		},
		'a user is in so many teams and no more, also of parallel ones, made or joined': async (
			t,
			{stores, addTenant, addTeam},
		) => {
			const [user, other] = [await addTenant(), await addTenant()];
			const theirs = await parallel(4, () => addTeam(other));
			const add = (index: number) => {
				const team = theirs[index] ?? buildTeam();
				const membership = buildMembership({team_id: team.id, user_id: user.user_id, role: 'owner'});
				return reasonOf(
					theirs[index] ? stores.teams.addMember(membership, 6) : stores.teams.create(team, membership, 6),
				);
			};
			t.deepEqual(tally(await parallel(8, add)), {resolved: 5, conflict: 3});
			t.is((await stores.teams.forUser(user.user_id)).length, 6);
		},
		'an update renames that team; of no team it answers undefined': async (t, {stores, addTenant, addTeam}) => {
			const owner = await addTenant();
			const [team, other] = [await addTeam(owner), await addTeam(owner)];
			const renamed = {...team, name: 'Renamed', updated_at: later};
			t.deepEqual(await stores.teams.update(team.id, 'Renamed', later), renamed);
			t.deepEqual(await stores.teams.get(owner.user_id, team.id), {...renamed, role: 'owner'});
			t.deepEqual(await stores.teams.get(owner.user_id, other.id), {...other, role: 'owner'});
			t.is(await stores.teams.update(buildId(), 'Renamed', later), undefined);
		},
	},
};

export const members: Contract = {
	subject: 'teams',
	cases: {
		'members are answered with address, name, role and when they joined': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant({name: null})];
			const team = await world.addTeam(owner);
			await world.stores.teams.addMember(
				buildMembership({team_id: team.id, user_id: member.user_id, created_at: later}),
				1000,
			);
			const listed = await world.stores.teams.members(team.id);
			const expected = {
				user_id: member.user_id,
				email: member.user.email,
				name: null,
				role: 'member',
				created_at: later,
			};
			t.is(listed.length, 2);
			t.deepEqual(
				listed.find((row) => row.user_id === member.user_id),
				expected,
			);
			t.is(listed.find((row) => row.user_id === owner.user_id)?.role, 'owner');
			t.deepEqual(await world.stores.teams.members(buildId()), []);
		},
		'a member cannot be added again, and keeps the role': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			await join(world, team.id, member);
			t.is(await reasonOf(join(world, team.id, {...member, role: 'owner'})), 'resource_exists');
			t.is((await world.stores.teams.get(member.user_id, team.id))?.role, 'member');
		},
		'of parallel additions of one member exactly one succeeds': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			const answers = await parallel(10, () => reasonOf(join(world, team.id, member)));
			t.deepEqual(tally(answers), {resolved: 1, resource_exists: 9});
			t.is((await world.stores.teams.members(team.id)).length, 2);
		},
		'a team that is gone takes no members: resource_not_found': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			await world.stores.teams.delete(team.id);
			t.is(await reasonOf(join(world, team.id, owner)), 'resource_not_found');
		},
		'a removed member no longer sees the team; who is none is not_member': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			await join(world, team.id, member);
			t.is(await world.stores.teams.removeMember(team.id, member.user_id), 'removed');
			t.is(await world.stores.teams.get(member.user_id, team.id), undefined);
			t.is(await world.stores.teams.removeMember(team.id, member.user_id), 'not_member');
			t.is(await world.stores.teams.removeMember(buildId(), member.user_id), 'not_member');
		},
		'the last owner stays, also beside members': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			await join(world, team.id, member);
			t.is(await world.stores.teams.removeMember(team.id, owner.user_id), 'last_owner');
			t.is((await world.stores.teams.get(owner.user_id, team.id))?.role, 'owner');
		},
		'of parallel removals of every owner one is refused': async (t, world) => {
			const owners = await parallel(4, () => world.addTenant());
			const [first, ...others] = owners;
			const team = await world.addTeam(first as Tenant);
			for (const owner of others) await join(world, team.id, {...owner, role: 'owner'});
			const remove = (index: number) => world.stores.teams.removeMember(team.id, owners[index]?.user_id ?? '');
			t.deepEqual(tally(await parallel(4, remove)), {removed: 3, last_owner: 1});
			t.is((await world.stores.teams.members(team.id)).length, 1);
		},
		'a removed member whose active team it was falls back to the personal one': async (t, world) => {
			const [owner, active, elsewhere] = await parallel(3, () => world.addTenant());
			if (!owner || !active || !elsewhere) throw new Error('three tenants were added');
			const [team, other] = [await world.addTeam(owner), await world.addTeam(owner)];
			for (const member of [active, elsewhere]) await join(world, team.id, member);
			await join(world, other.id, elsewhere);
			await world.stores.users.update(active.user_id, {active_team_id: team.id}, later);
			await world.stores.users.update(elsewhere.user_id, {active_team_id: other.id}, later);
			for (const member of [active, elsewhere]) await world.stores.teams.removeMember(team.id, member.user_id);
			t.is((await world.stores.users.byId(active.user_id))?.active_team_id, active.team_id);
			t.is((await world.stores.users.byId(elsewhere.user_id))?.active_team_id, other.id);
		},
		'invites of a removed member into other teams hold': async (t, world) => {
			const [owner, other] = [await world.addTenant(), await world.addTenant()];
			const [left, kept] = [await world.addTeam(owner), await world.addTeam(owner)];
			for (const {id: team_id} of [left, kept])
				await world.stores.teams.addMember(buildMembership({team_id, user_id: other.user_id, role: 'owner'}), 10);
			const invite = buildInvite({team_id: kept.id, created_by: other.user_id});
			await world.stores.invites.create(invite, 3600);
			t.is(await world.stores.teams.removeMember(left.id, other.user_id), 'removed');
			t.is(await world.stores.users.create({...buildAccount(), invite_digest: invite.token_digest}), true);
		},
		'invites of a removed member no longer hold; those of others do': async (t, world) => {
			const [owner, other] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			const {user_id} = other;
			await world.stores.teams.addMember(buildMembership({team_id: team.id, user_id, role: 'owner'}), 1000);
			const inviteBy = async ({user_id: created_by}: Tenant) =>
				(await world.stores.invites.create(buildInvite({team_id: team.id, created_by}), 3600)).token_digest;
			const [kept, lost] = [await inviteBy(owner), await inviteBy(other)];
			await world.stores.teams.removeMember(team.id, other.user_id);
			const use = (invite_digest: string) => reasonOf(world.stores.users.create({...buildAccount(), invite_digest}));
			t.is(await use(lost), 'forbidden');
			t.is(await use(kept), 'resolved');
		},
	},
};

/** One of everything that a team can own. */
const furnish = async (world: ContractWorld, owner: Tenant, team_id: string) => {
	const {stores} = world;
	const server = await world.addServer(owner, {team_id});
	const call = await world.addCall(server, {cost_cents: 5});
	const approval = await world.addApproval(server);
	await stores.spend.reserve({mcp_server_id: server.id, month: '2026-01', tool_name: 'send', cents: 5}, null);
	const variable = buildVariable({user_id: owner.user_id, team_id});
	await stores.variables.create(variable);
	return {server, call, approval, variable};
};

/** What is left of it, seen by somebody who may see everything. */
const remains = async (
	{stores}: ContractWorld,
	viewer: Readonly<{user_id: string; team_ids: readonly string[]}>,
	{server, call, approval, variable}: Awaited<ReturnType<typeof furnish>>,
): Promise<readonly string[]> => {
	const month = {from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z'};
	const found = {
		server: await stores.mcpServers.get(viewer.team_ids, server.id),
		slug: await stores.mcpServers.bySlug(server.slug),
		call: await stores.calls.get(viewer.team_ids, call.id),
		rollup: (await stores.calls.sums(server.team_id, {...month, server_id: server.id})).by_tool.at(0),
		approval: await stores.approvals.get(viewer, approval.id),
		spend: (await stores.spend.report(server.id, '2026-01')).at(0),
		variable: await stores.variables.get(viewer, variable.id),
	};
	return Object.entries(found).flatMap(([name, record]) => (record === undefined ? [] : [name]));
};

const everything = ['server', 'slug', 'call', 'rollup', 'approval', 'spend', 'variable'];

export const deletingTeams: Contract = {
	subject: 'teams',
	cases: {
		'a deleted team takes its servers, calls, rollups, approvals, spend and variables with it, and no others': async (
			t,
			world,
		) => {
			const owner = await world.addTenant();
			const [team, kept] = [await world.addTeam(owner), await world.addTeam(owner)];
			const [lost, spared] = [await furnish(world, owner, team.id), await furnish(world, owner, kept.id)];
			const viewer = {user_id: owner.user_id, team_ids: [owner.team_id, team.id, kept.id]};
			t.deepEqual(await remains(world, viewer, lost), everything);
			t.is(await world.stores.teams.delete(team.id), true);
			t.is(await world.stores.teams.get(owner.user_id, team.id), undefined);
			t.deepEqual(await remains(world, viewer, lost), []);
			t.deepEqual(await remains(world, viewer, spared), everything);
		},
		'members whose active team it was fall back to their personal one': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant()];
			const [team, other] = [await world.addTeam(owner), await world.addTeam(owner)];
			await join(world, team.id, member);
			await world.stores.users.update(member.user_id, {active_team_id: team.id}, later);
			await world.stores.users.update(owner.user_id, {active_team_id: other.id}, later);
			await world.stores.teams.delete(team.id);
			t.is((await world.stores.users.byId(member.user_id))?.active_team_id, member.team_id);
			t.is((await world.stores.users.byId(owner.user_id))?.active_team_id, other.id);
			t.deepEqual(idsOf(await world.stores.teams.forUser(member.user_id)), [member.team_id]);
		},
		'a personal team stays, and a team is deleted once': async (t, {stores, addTenant, addTeam}) => {
			const owner = await addTenant();
			t.is(await stores.teams.delete(owner.team_id), false);
			t.is((await stores.teams.get(owner.user_id, owner.team_id))?.is_personal, true);
			const team = await addTeam(owner);
			t.deepEqual(tally(await parallel(5, () => stores.teams.delete(team.id))), {true: 1, false: 4});
			t.is(await stores.teams.delete(buildId()), false);
		},
		'an invite into a deleted team no longer holds': async (t, {stores, addTenant, addTeam}) => {
			const owner = await addTenant();
			const team = await addTeam(owner);
			const invite = await stores.invites.create(buildInvite({team_id: team.id, created_by: owner.user_id}), 3600);
			await stores.teams.delete(team.id);
			const account = {...buildAccount(), invite_digest: invite.token_digest};
			t.is(await reasonOf(stores.users.create(account)), 'forbidden');
			const next = buildInvite({team_id: team.id, created_by: owner.user_id});
			t.is(await reasonOf(stores.invites.create(next, 3600)), 'resource_not_found');
		},
		'the audit trail outlives the team, and its deletion can be written into it': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const about = {team_id: team.id, user_id: owner.user_id};
			const [before, after] = [buildAuditEntry(about), buildAuditEntry({...about, action: 'team.deleted'})];
			await world.stores.audit.append(before);
			await world.stores.teams.delete(team.id);
			await world.stores.audit.append(after);
			const {data} = await world.stores.audit.list(team.id, {limit: 10, offset: 0});
			t.deepEqual(data, [after, before]);
		},
	},
};
