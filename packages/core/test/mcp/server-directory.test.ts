import {type McpServerRecord, plusSeconds} from '@signalbox/core';
import {addCaller, buildServer, createTestCore, createTestPorts} from '@signalbox/core/testing';
import test from 'ava';
import {createServerDirectory} from '../../src/mcp/server-directory.ts';

/** A directory over a memory store that counts what it is asked, and may be held up. */
const openDirectory = async (fields: Partial<McpServerRecord> = {}) => {
	const {ports, clock} = createTestPorts();
	const {user_id, team_id, team_ids} = await addCaller(ports);
	const server = buildServer({user_id, team_id, ...fields});
	await ports.mcpServers.create(server, null);
	const asked: string[] = [];
	let open = Promise.resolve();
	const bySlug = async (slug: string) => {
		asked.push(slug);
		const found = await ports.mcpServers.bySlug(slug);
		await open;
		return found;
	};
	const find = createServerDirectory({...ports, mcpServers: {...ports.mcpServers, bySlug}}).bySlug;
	const change = async (changed: Partial<McpServerRecord>) => {
		const current = await ports.mcpServers.get(team_ids, server.id);
		if (current === undefined) throw new Error('the server is gone');
		await ports.mcpServers.update(team_ids, {...current, ...changed}, current.version);
	};
	const announce = () => ports.signals.publish({type: 'mcp.server.changed', mcp_server_id: server.id, team_id});
	/** Reads begun from now on answer what they found only once this is called. */
	const holdUp = () => {
		const {promise, resolve} = Promise.withResolvers<void>();
		open = promise;
		return () => {
			open = Promise.resolve();
			resolve();
		};
	};
	return {ports, clock, server, team_ids, asked, find, change, announce, holdUp};
};

test('a record is read once and used for a second, by the clock', async (t) => {
	const {find, server, asked, clock, change} = await openDirectory({name: 'Before'});
	t.is((await find(server.slug))?.name, 'Before');
	await change({name: 'By another process'});
	await clock.advance(999);
	t.is((await find(server.slug))?.name, 'Before');
	t.is(asked.length, 1);
	await clock.advance(1);
	t.is((await find(server.slug))?.name, 'By another process');
	t.is(asked.length, 2);
});

test('a clock that is set back makes nothing last longer', async (t) => {
	const {find, server, clock, change} = await openDirectory();
	await find(server.slug);
	await change({name: 'By another process'});
	await clock.set(plusSeconds(clock.now(), -3600));
	t.is((await find(server.slug))?.name, 'By another process');
});

test('a change that is announced is seen at once', async (t) => {
	const {find, server, change, announce} = await openDirectory({is_active: true});
	await find(server.slug);
	await change({is_active: false});
	announce();
	t.false((await find(server.slug))?.is_active);
});

test('a slug that was rotated away leads nowhere', async (t) => {
	const {find, server, change, announce} = await openDirectory();
	await find(server.slug);
	await change({slug: 'rotated'});
	announce();
	t.is(await find(server.slug), undefined);
	t.is((await find('rotated'))?.id, server.id);
});

test('the servers of a team that is deleted are gone at once, those of others stay known', async (t) => {
	const {core, ports} = createTestCore();
	const caller = await addCaller(ports);
	const team = await core.accounts.teams.create(caller, {name: 'Short-lived'});
	const [stays, goes] = [caller.team_id, team.id].map((team_id) => buildServer({user_id: caller.user_id, team_id}));
	t.truthy(stays && goes);
	if (!stays || !goes) return;
	for (const server of [stays, goes]) {
		await ports.mcpServers.create(server, null);
		await core.mcp.servers.bySlug(server.slug);
	}
	await core.accounts.teams.delete({...caller, team_ids: [...caller.team_ids, team.id]}, team.id);
	t.is(await core.mcp.servers.bySlug(goes.slug), undefined);
	t.is((await core.mcp.servers.bySlug(stays.slug))?.id, stays.id);
});

test('a read that began before a change is neither kept nor shared with whoever asks after it', async (t) => {
	const {find, server, change, announce, holdUp, asked} = await openDirectory({name: 'Before'});
	const letGo = holdUp();
	const early = find(server.slug);
	// The store has answered, and the directory does not know it yet.
	await new Promise((resolve) => setImmediate(resolve));
	await change({name: 'After'});
	announce();
	const late = find(server.slug);
	letGo();
	t.deepEqual([(await early)?.name, (await late)?.name], ['Before', 'After']);
	t.is((await find(server.slug))?.name, 'After');
	t.is(asked.length, 2);
});

test('who asks in parallel shares one read, also one that fails, and the next one reads anew', async (t) => {
	const {find, server, asked} = await openDirectory();
	const found = await Promise.all(Array.from({length: 20}, () => find(server.slug)));
	t.true(found.every((record) => record?.id === server.id));
	t.is(asked.length, 1);

	const {ports} = createTestPorts();
	let reads = 0;
	const bySlug = async () => {
		reads += 1;
		if (reads === 1) throw new Error('the store is down');
		return server;
	};
	const failing = createServerDirectory({...ports, mcpServers: {...ports.mcpServers, bySlug}}).bySlug;
	const outcomes = await Promise.allSettled([failing('slug'), failing('slug')]);
	t.deepEqual(
		outcomes.map(({status}) => status),
		['rejected', 'rejected'],
	);
	t.is((await failing('slug'))?.id, server.id);
	t.is(reads, 2);
});

test('whoever tries slugs at random pushes nothing out', async (t) => {
	const {find, server, asked} = await openDirectory();
	await find(server.slug);
	await Promise.all(Array.from({length: 3000}, (_, index) => find(`guess-${index}`)));
	await find(server.slug);
	t.is(asked.filter((slug) => slug === server.slug).length, 1);
});

test('at most 1,000 servers are known, those that were read last', async (t) => {
	const {ports} = createTestPorts();
	const asked: string[] = [];
	const bySlug = async (slug: string) => {
		asked.push(slug);
		return buildServer({user_id: 'user', team_id: 'team', slug});
	};
	const find = createServerDirectory({...ports, mcpServers: {...ports.mcpServers, bySlug}}).bySlug;
	for (let index = 0; index < 1001; index += 1) await find(`slug-${index}`);
	asked.length = 0;
	await find('slug-1');
	await find('slug-0');
	t.deepEqual(asked, ['slug-0']);
});

test('a record that did not change stays the same object; one whose headers were sealed anew does not', async (t) => {
	const {find, server, clock, ports} = await openDirectory({upstream_headers: {kid: 'old', data: 'sealed'}});
	const first = await find(server.slug);
	await clock.advance(1000);
	t.is(await find(server.slug), first);
	await ports.mcpServers.reseal(server.id, {kid: 'old', data: 'sealed'}, {kid: 'new', data: 'anew'});
	await clock.advance(1000);
	t.is((await find(server.slug))?.upstream_headers?.data, 'anew');
});
