import {buildAccount, buildMembership} from '../builders/accounts.ts';
import {buildEndpoint} from '../builders/webhook.ts';
import {addChain, addChainOwner} from './chain-world.ts';
import type {Contract} from './contract.ts';
import type {ContractWorld, Tenant} from './world.ts';

const later = '2026-02-01T08:00:00.000Z';
const long_ago = '2020-01-01T08:00:00.000Z';

/** Makes the team the active one of a member. */
const work = async ({stores}: ContractWorld, team_id: string, {user_id}: Pick<Tenant, 'user_id'>): Promise<void> => {
	await stores.teams.addMember(buildMembership({team_id, user_id}), 1000);
	await stores.users.update(user_id, {active_team_id: team_id}, later);
};

const activeTeamOf = async ({stores}: ContractWorld, {user_id}: Pick<Tenant, 'user_id'>) =>
	(await stores.users.byId(user_id))?.active_team_id;

/** A chain of somebody that an endpoint of the team starts. */
const addLinkedChain = async (world: ContractWorld, {user_id}: Pick<Tenant, 'user_id'>, team_id: string) => {
	const endpoint = buildEndpoint({user_id, team_id});
	await world.stores.endpoints.create(endpoint, null);
	const owner = await addChainOwner(world);
	return addChain(world, owner, {trigger_type: 'webhook', trigger_endpoint_id: endpoint.id});
};

export const besideTeams: Contract = {
	subject: 'teams beside others',
	cases: {
		'a member who is removed leaves the team active for those who stay': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const [removed, staying] = [await world.addTenant(), await world.addTenant()];
			for (const member of [removed, staying]) await work(world, team.id, member);
			t.is(await world.stores.teams.removeMember(team.id, removed.user_id), 'removed');
			t.is(await activeTeamOf(world, removed), removed.team_id);
			t.is(await activeTeamOf(world, staying), team.id);
		},
		'who falls back does so to their own personal team, not to an older one, nor to that of somebody else': async (
			t,
			world,
		) => {
			const [owner, other] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			const early = buildAccount();
			await world.stores.users.create({...early, team: {...early.team, created_at: long_ago}});
			await work(world, early.team.id, other);
			await world.addTeam(other, {created_at: long_ago});
			await work(world, team.id, other);
			t.is(await world.stores.teams.delete(team.id), true);
			t.is(await activeTeamOf(world, other), other.team_id);
		},
		'a personal team that is not deleted stays active, and its endpoints start what they did': async (t, world) => {
			const [owner, member] = [await world.addTenant(), await world.addTenant()];
			await work(world, owner.team_id, member);
			const chain = await addLinkedChain(world, owner, owner.team_id);
			t.is(await world.stores.teams.delete(owner.team_id), false);
			t.is(await activeTeamOf(world, member), owner.team_id);
			t.deepEqual(await world.stores.chains.get(chain.user_id, chain.id), chain);
		},
		'a deleted team unlinks the chains that its endpoints start, and no others': async (t, world) => {
			const owner = await world.addTenant();
			const [gone, kept] = [await world.addTeam(owner), await world.addTeam(owner)];
			const unlinked = await addLinkedChain(world, owner, gone.id);
			const linked = await addLinkedChain(world, owner, kept.id);
			t.is(await world.stores.teams.delete(gone.id), true);
			const {chains} = world.stores;
			t.is((await chains.get(unlinked.user_id, unlinked.id))?.trigger_endpoint_id, null);
			t.deepEqual(await chains.get(linked.user_id, linked.id), linked);
		},
	},
};
