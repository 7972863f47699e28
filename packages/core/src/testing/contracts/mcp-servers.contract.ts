import type {McpServerRecord} from '../../mcp/model/server.ts';
import {buildSealed} from '../builders/environment.ts';
import {buildId} from '../builders/identity.ts';
import {buildServer} from '../builders/mcp.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, type ContractWorld, idsOf, parallel, reasonOf, tally} from './world.ts';

const month = {from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z'};

/** Every field other than its default. */
const furnished = (owner: Readonly<{user_id: string; team_id: string}>): McpServerRecord =>
	buildServer({
		user_id: owner.user_id,
		team_id: owner.team_id,
		name: 'Tickets',
		is_active: false,
		default_cost_cents: 7,
		approval_config: {
			enabled: true,
			default_action: 'allow',
			trust_level: 'moderate',
			ttl_seconds: 60,
			rules: [{pattern: 'send_*', action: 'require'}],
		},
		rate_limit_config: {requests_per_minute: 60, burst: 5, cost: {budget_cents: 1000, alert_threshold_percent: 50}},
		upstream_headers: buildSealed(),
		upstream_header_names: ['authorization'],
		forward_headers: ['x-trace'],
		allowed_methods: ['custom/method'],
		require_auth: true,
		log_bodies: {mode: 'redacted', paths: ['$.params.arguments.card']},
	});

export const mcpServers: Contract = {
	subject: 'mcp servers',
	cases: {
		'a created server is answered as it was made, by id, in the list and by slug': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const server = furnished(owner);
			await stores.mcpServers.create(server, null);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, server.id), server);
			t.deepEqual(await stores.mcpServers.list(owner.team_id), [server]);
			t.deepEqual(await stores.mcpServers.bySlug(server.slug), server);
		},
		'servers come oldest first, equally old ones by id': async (t, {stores, addTenant}) => {
			const {user_id, team_id} = await addTenant();
			const young = buildServer({user_id, team_id, created_at: '2026-01-31T10:00:00.000Z'});
			const [first, second] = [buildServer({user_id, team_id}), buildServer({user_id, team_id})];
			for (const server of [young, second, first]) await stores.mcpServers.create(server, null);
			t.deepEqual(idsOf(await stores.mcpServers.list(team_id)), [first.id, second.id, young.id]);
		},
		'another team neither sees, changes nor deletes a server': async (t, {stores, addTenant, addServer}) => {
			const [owner, other] = [await addTenant(), await addTenant()];
			const server = await addServer(owner);
			t.is(await stores.mcpServers.get(other.team_ids, server.id), undefined);
			t.is(await stores.mcpServers.get([], server.id), undefined);
			t.deepEqual(await stores.mcpServers.list(other.team_id), []);
			t.is(await stores.mcpServers.update(other.team_ids, {...server, name: 'Mine'}, server.version), undefined);
			t.is(await stores.mcpServers.delete(other.team_ids, server.id), false);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, server.id), server);
		},
		'by id any of the named teams will do, the list is of one team': async (
			t,
			{stores, addTenant, addTeam, addServer},
		) => {
			const owner = await addTenant();
			const team = await addTeam(owner);
			const server = await addServer(owner, {team_id: team.id});
			t.deepEqual(await stores.mcpServers.get([owner.team_id, team.id], server.id), server);
			t.deepEqual(await stores.mcpServers.list(team.id), [server]);
			t.deepEqual(await stores.mcpServers.list(owner.team_id), []);
		},
		'a team that is gone takes no servers: resource_not_found': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const server = buildServer({user_id, team_id: buildId()});
			t.is(await reasonOf(stores.mcpServers.create(server, null)), 'resource_not_found');
		},
	},
};

export const limitsOfServers: Contract = {
	subject: 'mcp servers',
	cases: {
		'the limit counts what the user created in any team, and a deleted one makes room': async (t, world) => {
			const {stores} = world;
			const [owner, other] = [await world.addTenant(), await world.addTenant()];
			const team = await world.addTeam(owner);
			const first = await world.addServer(owner);
			const create = (fields: Readonly<{user_id: string; team_id: string}>) =>
				reasonOf(stores.mcpServers.create(buildServer(fields), 1));
			t.is(await create({user_id: owner.user_id, team_id: team.id}), 'plan_limit_reached');
			t.is(await create({user_id: other.user_id, team_id: owner.team_id}), 'resolved');
			await stores.mcpServers.delete(owner.team_ids, first.id);
			t.is(await create({user_id: owner.user_id, team_id: team.id}), 'resolved');
		},
		'parallel creates never exceed the limit': async (t, {stores, addTenant}) => {
			const {user_id, team_id} = await addTenant();
			const create = () => reasonOf(stores.mcpServers.create(buildServer({user_id, team_id}), 3));
			t.deepEqual(tally(await parallel(30, create)), {resolved: 3, plan_limit_reached: 27});
			t.is((await stores.mcpServers.list(team_id)).length, 3);
		},
		'parallel creates without a limit all succeed': async (t, {stores, addTenant}) => {
			const {user_id, team_id} = await addTenant();
			await parallel(20, () => stores.mcpServers.create(buildServer({user_id, team_id}), null));
			t.is((await stores.mcpServers.list(team_id)).length, 20);
		},
	},
};

export const changingServers: Contract = {
	subject: 'mcp servers',
	cases: {
		'an update writes the whole record, and the version rises by one': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const [server, other] = [await addServer(owner), await addServer(owner)];
			const {id, slug, created_at} = server;
			const changed = {...furnished(owner), id, slug, created_at, version: server.version + 1};
			const written = await stores.mcpServers.update(owner.team_ids, {...changed, version: 99}, server.version);
			t.deepEqual(written, changed);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, id), changed);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, other.id), other);
		},
		'an update from an older version writes nothing': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const server = await addServer(owner);
			const first = await stores.mcpServers.update(owner.team_ids, {...server, name: 'First'}, server.version);
			t.is(await stores.mcpServers.update(owner.team_ids, {...server, name: 'Late'}, server.version), undefined);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, server.id), first);
		},
		'of parallel updates from one version exactly one is written': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const server = await addServer(owner);
			const update = (index: number) =>
				stores.mcpServers.update(owner.team_ids, {...server, name: `Name ${index}`}, server.version);
			const written = (await parallel(20, update)).filter((record) => record !== undefined);
			t.is(written.length, 1);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, server.id), written[0]);
		},
		'a server that is gone is not written again': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const server = await addServer(owner);
			await stores.mcpServers.delete(owner.team_ids, server.id);
			t.is(await stores.mcpServers.update(owner.team_ids, server, server.version), undefined);
			t.is(await stores.mcpServers.get(owner.team_ids, server.id), undefined);
		},
		'a slug is given once': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const [server, other] = [await addServer(owner), await addServer(owner)];
			t.is(await reasonOf(addServer(owner, {slug: server.slug})), 'resource_exists');
			const taking = stores.mcpServers.update(owner.team_ids, {...other, slug: server.slug}, other.version);
			t.is(await reasonOf(taking), 'resource_exists');
			t.deepEqual(await stores.mcpServers.bySlug(server.slug), server);
		},
		'a rotated slug leads to the server, the old one nowhere': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const server = await addServer(owner);
			const rotated = await stores.mcpServers.update(owner.team_ids, {...server, slug: 'rotated'}, server.version);
			t.deepEqual(await stores.mcpServers.bySlug('rotated'), rotated);
			t.is(await stores.mcpServers.bySlug(server.slug), undefined);
		},
	},
};

const traces = async ({stores}: ContractWorld, {id, team_id}: McpServerRecord) => ({
	calls: await stores.calls.count(team_id, {server_id: id}),
	rollups: (await stores.calls.sums(team_id, {...month, server_id: id})).by_tool.length,
	approvals: (await stores.approvals.list({user_id: '', team_ids: [team_id]}, 'pending', 100)).filter(
		(approval) => approval.mcp_server_id === id,
	).length,
	spend: (await stores.spend.report(id, '2026-01')).length,
});

const leaveTraces = async (world: ContractWorld, server: McpServerRecord) => {
	await world.addCall(server);
	await world.addApproval(server);
	const reservation = {mcp_server_id: server.id, month: '2026-01', tool_name: 'send', cents: 5};
	await world.stores.spend.reserve(reservation, null);
};

export const deletingServers: Contract = {
	subject: 'mcp servers',
	cases: {
		'a deleted server takes its calls, rollups, approvals and spend with it, and no others': async (t, world) => {
			const owner = await world.addTenant();
			const [server, kept] = [await world.addServer(owner), await world.addServer(owner)];
			for (const each of [server, kept]) await leaveTraces(world, each);
			t.is(await world.stores.mcpServers.delete(owner.team_ids, server.id), true);
			t.is(await world.stores.mcpServers.get(owner.team_ids, server.id), undefined);
			t.is(await world.stores.mcpServers.bySlug(server.slug), undefined);
			t.deepEqual(await traces(world, server), {calls: 0, rollups: 0, approvals: 0, spend: 0});
			t.deepEqual(await traces(world, kept), {calls: 1, rollups: 1, approvals: 1, spend: 1});
		},
		'of parallel deletions exactly one deletes': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const server = await addServer(owner);
			const deleted = await parallel(5, () => stores.mcpServers.delete(owner.team_ids, server.id));
			t.deepEqual(tally(deleted), {true: 1, false: 4});
		},
		'what is written in parallel with a deletion leaves no trace': async (t, world) => {
			const owner = await world.addTenant();
			const server = await world.addServer(owner);
			const lateWrites = () => [
				reasonOf(world.addCall(server)),
				reasonOf(world.addApproval(server)),
				reasonOf(
					world.stores.spend.reserve({mcp_server_id: server.id, month: '2026-01', tool_name: 'a', cents: 1}, null),
				),
			];
			const before = [lateWrites(), lateWrites()].flat();
			const deletion = world.stores.mcpServers.delete(owner.team_ids, server.id);
			await Promise.all([...before, deletion, ...lateWrites(), ...lateWrites()]);
			t.deepEqual(await traces(world, server), {calls: 0, rollups: 0, approvals: 0, spend: 0});
		},
	},
};

export const resealingServers: Contract = {
	subject: 'mcp servers',
	cases: {
		'headers that another key seals are found across tenants, up to the limit': async (t, world) => {
			const {stores, addTenant, addServer} = world;
			const [one, two] = [await addTenant(), await addTenant()];
			const sealed = (kid: string) => ({upstream_headers: buildSealed({kid}), upstream_header_names: ['x']});
			const old = [await addServer(one, sealed('k1')), await addServer(two, sealed('k0'))];
			const current = await addServer(two, sealed('k2'));
			await addServer(one);
			t.deepEqual(idsOf(await stores.mcpServers.sealedOtherwise('k2', 10)).toSorted(), idsOf(old));
			t.is((await stores.mcpServers.sealedOtherwise('k2', 1)).length, 1);
			t.is(
				(await stores.mcpServers.sealedOtherwise('k1', 10)).some((server) => server.id === current.id),
				true,
			);
		},
		'headers are resealed if they still are the ones named, and an update of before writes nothing': async (
			t,
			world,
		) => {
			const {stores, addTenant, addServer} = world;
			const owner = await addTenant();
			const from = buildSealed();
			const [server, plain] = [await addServer(owner, {upstream_headers: from}), await addServer(owner)];
			const to = buildSealed({kid: 'k2'});
			t.is(await stores.mcpServers.reseal(server.id, {...from, data: 'other'}, to), false);
			t.is(await stores.mcpServers.reseal(server.id, {...from, kid: 'k0'}, to), false);
			t.is(await stores.mcpServers.reseal(plain.id, from, to), false);
			t.is(await stores.mcpServers.reseal(buildId(), from, to), false);
			const resealed = await parallel(5, () => stores.mcpServers.reseal(server.id, from, to));
			t.deepEqual(tally(resealed), {true: 1, false: 4});
			t.is(await stores.mcpServers.update(owner.team_ids, {...server, name: 'renamed'}, server.version), undefined);
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, server.id), {
				...server,
				upstream_headers: to,
				version: 2,
			});
			t.deepEqual(await stores.mcpServers.get(owner.team_ids, plain.id), plain);
		},
	},
};

export const textOfServers: Contract = {
	subject: 'mcp servers',
	needs: 'exact_text',
	cases: {
		'slugs that differ in case or a trailing blank are different': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			const [lower, upper] = [await addServer(owner, {slug: 'abc'}), await addServer(owner, {slug: 'ABC'})];
			t.deepEqual(await stores.mcpServers.bySlug('abc'), lower);
			t.deepEqual(await stores.mcpServers.bySlug('ABC'), upper);
			for (const slug of ['Abc', 'abc ', '']) t.is(await stores.mcpServers.bySlug(slug), undefined);
		},
		'names, addresses and rules are kept to the last character': async (t, {stores, addTenant, addServer}) => {
			const owner = await addTenant();
			for (const text of awkwardTexts) {
				const {approval_config} = furnished(owner);
				const rules = [{pattern: text, action: 'allow'} as const];
				const server = await addServer(owner, {name: text, approval_config: {...approval_config, rules}});
				t.deepEqual(await stores.mcpServers.get(owner.team_ids, server.id), server);
			}
		},
	},
};
