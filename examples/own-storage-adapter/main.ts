import assert from 'node:assert/strict';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createCore} from '@signalbox/core';
import {createMemoryRateLimiter, createMemorySignals, createMemoryStores} from '@signalbox/core/memory';
import * as node from '@signalbox/core/node';
import {passContracts} from './contracts.ts';
import {openSqliteStores} from './sqlite-stores.ts';

// First what every adapter must keep, in cases that come with the core.
const passed = await passContracts();
assert(passed >= 13, `only ${passed} cases: the contract has been renamed`);
console.log(`${passed} cases of the contract passed`);

// Then a core on it. What is not ours yet stays in memory; stores can be replaced one by one.
const clock = node.systemClock;
const keys = [node.generateKey('example')];
const memory = createMemoryStores({clock});
const openCore = (file: string) => {
	const {stores, close} = openSqliteStores(file, clock);
	const core = createCore({
		...memory,
		...stores,
		clock,
		ids: node.createIds(),
		secrets: node.createSecrets({keys}),
		signatures: node.createSignatures(),
		passwords: node.createPasswordHasher(),
		accessTokens: node.createAccessTokens({keys, issuer: 'own-storage-adapter'}),
		cipher: node.createCipher({keys}),
		signals: createMemorySignals(),
		rateLimiter: createMemoryRateLimiter({clock}),
	});
	return {...core, close};
};

const directory = await mkdtemp(join(tmpdir(), 'own-storage-'));
const file = join(directory, 'kept.db');

const before = openCore(file);
const account = {email: 'ops@example.com', password: 'correct horse battery staple'};
const {access_token} = await before.accounts.registration.register(account);
const person = await before.accounts.authentication.authenticate({authorization: `Bearer ${access_token}`});

let made = 0;
/** Makes a server once, however often it is asked to under the same key. */
const makeServer = ({accounts, mcp}: typeof before) =>
	accounts.idempotency.once(person, {key: 'first-server', request: 'POST my tools'}, async () => {
		made += 1;
		const server = {name: 'My tools', target_url: 'https://tools.example.com/mcp'};
		return {status: 201, body: (await mcp.servers.create(person, server)).id};
	});
const first = await makeServer(before);
before.close();

// Another process, later: what was done stands there, and is not done again.
const after = openCore(file);
assert.deepEqual(await makeServer(after), first);
assert.equal(made, 1);
const {data} = await after.live.audit.list(person, {limit: 10, offset: 0});
const ofServers = data.filter(({action}) => action === 'mcp_server.created');
assert.deepEqual(
	ofServers.map(({target_id}) => target_id),
	[first.body],
);
console.log('after a restart: made once, and on record');
after.close();
await rm(directory, {recursive: true});
