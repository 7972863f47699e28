import type {ServerSettings} from '@signalbox/core';
import test from 'ava';
import {upstreamHeadersBinding} from '../../src/values/binding.ts';
import {refusalOf, startWorld, type World} from './support.ts';

const mask = '********';

const create = (world: World, settings: ServerSettings) =>
	world.core.mcp.servers.create(world.caller, {name: 'Tickets', target_url: '{{env.URL}}', ...settings});

const targetOf = async ({core}: World, slug: string) => {
	const record = await core.mcp.servers.bySlug(slug);
	return record && (await core.mcp.servers.target(record));
};

const moved = {
	ok: false,
	message:
		'The target resolves to another origin than upstream_headers were given for: send upstream_headers anew for this one.',
};

/** A server whose target is the variable URL, which leads to https://x.example, and how to let it lead elsewhere. */
const startVariableTarget = async (upstream_headers: Record<string, string>) => {
	const world = await startWorld();
	const {variables} = world.core.environment;
	const {id: variable_id} = await variables.create(world.caller, {key: 'URL', value: 'https://x.example/mcp'});
	const server = await create(world, {upstream_headers});
	return {
		world,
		server,
		lead: async (value: string) => await variables.update(world.caller, variable_id, {value}),
		target: async () => await targetOf(world, server.slug),
		update: async (settings: ServerSettings) => await world.core.mcp.servers.update(world.caller, server.id, settings),
	};
};

test('a variable that leads to another origin gets no upstream headers until they are sent anew', async (t) => {
	const {world, lead, target, update} = await startVariableTarget({authorization: 'one', 'x-key': '{{env.KEY}}'});
	await world.core.environment.variables.create(world.caller, {key: 'KEY', value: 's3cret'});
	t.like(await target(), {ok: true, headers: {authorization: 'one', 'x-key': 's3cret'}});
	await lead('https://X.example:443/other');
	t.like(await target(), {ok: true, headers: {authorization: 'one'}});
	for (const elsewhere of ['https://evil.example/mcp', 'http://x.example/mcp', 'https://x.example:8443/mcp']) {
		await lead(elsewhere);
		t.deepEqual(await target(), moved);
		t.is(
			await refusalOf(update({upstream_headers: {authorization: mask}})),
			'validation_error upstream_headers.authorization',
		);
		await update({name: 'Renamed', target_url: '{{ env.URL }}'});
		t.deepEqual(await target(), moved);
	}
	await update({upstream_headers: {authorization: 'two'}});
	t.like(await target(), {ok: true, headers: {authorization: 'two'}});
	await lead('https://x.example/mcp');
	t.deepEqual(await target(), moved);
	await update({upstream_headers: {}});
	t.like(await target(), {ok: true, headers: {}});
});

test('a mask keeps the header while the variable of the target leads to the same origin', async (t) => {
	const {lead, target, update} = await startVariableTarget({authorization: 'one'});
	await update({upstream_headers: {authorization: mask, 'x-b': 'two'}});
	t.like(await target(), {ok: true, headers: {authorization: 'one', 'x-b': 'two'}});
	await lead('https://evil.example');
	t.deepEqual(await target(), moved);
});

test('upstream headers for a variable that leads nowhere are refused by field, and without them it is taken', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const settings = {target_url: '{{env.URL}}', upstream_headers: {authorization: 's3cret'}};
	t.is(await refusalOf(create(world, settings)), 'validation_error upstream_headers');
	t.is(await refusalOf(servers.update(world.caller, world.server.id, settings)), 'validation_error upstream_headers');
	const {id, slug} = await create(world, {...settings, upstream_headers: {}});
	const {variables} = world.core.environment;
	const variable = await variables.create(world.caller, {key: 'URL', value: 'ftp://hidden.example'});
	const refused = await t.throwsAsync(servers.update(world.caller, id, settings));
	t.notRegex(JSON.stringify(refused), /hidden|s3cret/);
	await variables.update(world.caller, variable.id, {value: 'https://x.example'});
	await servers.update(world.caller, id, settings);
	t.like(await targetOf(world, slug), {ok: true, headers: {authorization: 's3cret'}});
});

test('headers that an earlier release sealed without an origin go along until they are written again', async (t) => {
	const {world, server, lead, target, update} = await startVariableTarget({authorization: 'one'});
	const bound = (await world.core.mcp.servers.bySlug(server.slug))?.upstream_headers;
	const sealed = world.ports.cipher.seal('{"authorization":"old"}', upstreamHeadersBinding(server));
	t.true(bound && (await world.ports.mcpServers.reseal(server.id, bound, sealed)));
	await world.clock.advance(1000);
	await lead('https://y.example');
	t.like(await target(), {ok: true, headers: {authorization: 'old'}});
	await update({upstream_headers: {authorization: mask}});
	t.like(await target(), {ok: true, headers: {authorization: 'old'}});
	await lead('https://evil.example');
	t.deepEqual(await target(), moved);
});

test('headers that do not open any more are sent anew, and a mask stands for none of them', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const {id, slug} = await create(world, {target_url: 'https://x.example/', upstream_headers: {authorization: 'one'}});
	const record = await servers.bySlug(slug);
	if (record === undefined) return t.fail();
	const {version} = record;
	await world.ports.mcpServers.update(
		[record.team_id],
		{...record, upstream_headers: {kid: 'lost', data: ''}},
		version,
	);
	const update = (authorization: string) => servers.update(world.caller, id, {upstream_headers: {authorization}});
	t.is(await refusalOf(update(mask)), 'validation_error upstream_headers.authorization');
	await update('two');
	t.like(await targetOf(world, slug), {ok: true, headers: {authorization: 'two'}});
});
