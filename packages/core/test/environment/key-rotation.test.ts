import {createCore, DomainError, type Ports} from '@signalbox/core';
import {createCipher, generateKey, type KeyRing} from '@signalbox/core/node';
import {addCaller, buildServer, buildVariable, createTestPorts} from '@signalbox/core/testing';
import test from 'ava';
import {upstreamHeadersBinding, variableBinding} from '../../src/values/binding.ts';

const older = generateKey('older');
const newer = generateKey('newer');

const open = async () => {
	const {ports} = createTestPorts();
	const caller = await addCaller(ports);
	const coreWith = (keys: KeyRing, overrides: Partial<Ports> = {}) =>
		createCore({...ports, cipher: createCipher({keys}), ...overrides});
	const owner = {user_id: caller.user_id, team_id: caller.team_id};
	return {ports, caller, owner, coreWith, before: coreWith([older]), during: coreWith([newer, older])};
};

test('[ENV-046] after the rotation the older master key is not needed', async (t) => {
	const {ports, caller, owner, coreWith, before, during} = await open();
	for (let index = 0; index < 250; index += 1) {
		await before.environment.variables.create(caller, {key: `K${index}`, value: `value ${index}`});
	}
	const headers = JSON.stringify({authorization: 'Bearer secret'});
	const server = buildServer({...owner});
	const upstream_headers = createCipher({keys: [older]}).seal(headers, upstreamHeadersBinding(server));
	await ports.mcpServers.create({...server, upstream_headers}, null);
	const endpoint = await before.webhook.endpoints.create(caller, {
		name: 'Orders',
		destination_url: 'https://orders.example.com/',
		verification: {type: 'api_key', key: 'the key of the sender'},
	});
	await before.webhook.endpoints.rotateSecret(caller, endpoint.id);
	await before.accounts.idempotency.once(caller, {key: 'key', request: 'request'}, async () => ({
		status: 200,
		body: 1,
	}));

	const counts = await during.environment.keyRotation.rotate();
	t.like(counts, {variables: 250, mcp_servers: 1, endpoint_secrets: 3, idempotent_answers: 1});

	const after = coreWith([newer]);
	const resolution = await after.environment.resolver.resolve(owner, 'mcp', ['{{env.K0}} {{env.K249}}']);
	t.deepEqual(resolution, {ok: true, texts: ['value 0 value 249']});
	const stored = await ports.mcpServers.get([owner.team_id], server.id);
	const sealed = stored?.upstream_headers ?? {kid: '', data: ''};
	t.is(createCipher({keys: [newer]}).open(sealed, upstreamHeadersBinding(server)), headers);
	const keyed = (key: string) =>
		after.webhook.intake.accept(endpoint.slug, {
			method: 'POST',
			path: '',
			query: '',
			headers: [['x-api-key', key]],
			body: new Uint8Array(),
			source_ip: '192.0.2.1',
		});
	t.is((await keyed('the key of the sender')).outcome, 'accepted');
	t.is((await keyed('another key')).outcome, 'unauthorized');
	const record = await ports.endpoints.get([owner.team_id], endpoint.id);
	const secrets = [record?.signing_secret, record?.previous_signing_secret?.secret];
	t.deepEqual(
		secrets.map((secret) => secret?.kid),
		['newer', 'newer'],
	);
});

test('the URL of a notification channel is sealed anew, and is where it was', async (t) => {
	const {caller, coreWith, before, during} = await open();
	const url = 'https://ops.example.com/hook?token=secret';
	const {id} = await before.live.notificationChannels.create(caller, {type: 'webhook', url});
	t.like(await during.environment.keyRotation.rotate(), {notification_channels: 1});
	t.is((await coreWith([newer]).live.notificationChannels.get(caller, id)).url, url);
});

test('a second rotation finds nothing to do', async (t) => {
	const {caller, before, during} = await open();
	await before.environment.variables.create(caller, {key: 'A', value: 'a'});
	await during.environment.keyRotation.rotate();
	const nothing = {variables: 0, mcp_servers: 0, endpoint_secrets: 0, notification_channels: 0, idempotent_answers: 0};
	t.deepEqual(await during.environment.keyRotation.rotate(), nothing);
});

test('a value that is written while its row is sealed anew stays', async (t) => {
	const {ports, caller, owner, coreWith, before, during} = await open();
	const {id} = await before.environment.variables.create(caller, {key: 'A', value: 'before'});
	let isOvertaken = false;
	const variables: Ports['variables'] = {
		...ports.variables,
		reseal: async (row, from, to) => {
			if (!isOvertaken) await during.environment.variables.update(caller, id, {value: 'meanwhile'});
			isOvertaken = true;
			return ports.variables.reseal(row, from, to);
		},
	};
	const {keyRotation} = coreWith([newer, older], {variables}).environment;
	t.like(await keyRotation.rotate(), {variables: 0});
	const resolution = await coreWith([newer]).environment.resolver.resolve(owner, 'mcp', ['{{env.A}}']);
	t.deepEqual(resolution, {ok: true, texts: ['meanwhile']});
});

test('readers go on while rows are sealed anew', async (t) => {
	const {caller, owner, before, during} = await open();
	for (let index = 0; index < 120; index += 1) {
		await before.environment.variables.create(caller, {key: `K${index}`, value: 'same'});
	}
	const texts = Array.from({length: 120}, (_, index) => `{{env.K${index}}}`);
	const rotation = during.environment.keyRotation.rotate();
	for (let read = 0; read < 20; read += 1) {
		const resolution = await during.environment.resolver.resolve(owner, 'mcp', texts);
		t.true(resolution.ok && resolution.texts.every((text) => text === 'same'));
	}
	t.like(await rotation, {variables: 120});
});

test('rows that do not open are named, after all others were sealed anew', async (t) => {
	const {ports, caller, owner, before, during} = await open();
	const lost = createCipher({keys: [generateKey('lost')]});
	const stuck = Array.from({length: 130}, (_, index) => buildVariable({user_id: caller.user_id, key: `LOST${index}`}));
	for (const row of stuck) await ports.variables.create({...row, value: lost.seal('gone', variableBinding(row))});
	await before.environment.variables.create(caller, {key: 'A', value: 'a'});
	const error = await t.throwsAsync(during.environment.keyRotation.rotate(), {
		instanceOf: DomainError,
		message: /not configured/,
	});
	t.true(stuck.every(({id}) => error.message.includes(id)));
	t.deepEqual(await during.environment.resolver.resolve(owner, 'mcp', ['{{env.A}}']), {ok: true, texts: ['a']});
	t.is((await ports.variables.byKeys({user_id: caller.user_id, team_id: null}, ['A']))[0]?.value.kid, 'newer');
});
