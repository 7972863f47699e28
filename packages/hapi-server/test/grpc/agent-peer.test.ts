import type {Caller, KeyScope} from '@signalbox/core';
import {addCaller, createTestCore, type TestCore} from '@signalbox/core/testing';
import type {AgentPeer} from '@signalbox/rpc';
import test from 'ava';
import {createAgentPeer} from '../../src/grpc/agent-peer.ts';

const host = {
	...{agent_id: '', name: 'db-1', hostname: 'db-1.example.com', os: 'linux', arch: 'x64', version: '1.0.0'},
	...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
};

/** The peer of a new API key, as a call that the key was let in for has it. */
const peerOf = async ({core, clock, ports}: TestCore, person: Caller, scope: KeyScope = 'agent') => {
	const {id, key} = await core.accounts.apiKeys.create(person, {name: 'db-1', scopes: [scope]});
	const caller = await core.accounts.authentication.authenticate({api_key: key});
	return {key_id: id, peer: createAgentPeer({core, clock, signals: ports.signals}, caller)};
};

const start = async () => {
	const world = createTestCore();
	const person = await addCaller(world.ports);
	const {key_id, peer} = await peerOf(world, person);
	const {agent_id, session_id} = await peer.register(host);
	const job = await world.core.cron.jobs.create(person, {
		...{name: 'Back up', schedule: '0 3 * * *', command: 'backup', is_enabled: false},
	});
	return {...world, world, person, key_id, peer, session: {agent_id, session_id}, job};
};

const idsIn = ({executions}: Awaited<ReturnType<AgentPeer['lease']>>) =>
	executions.map(({execution_id}) => execution_id);

/** What a call fails with, looked for at once, so that nothing counts as unhandled meanwhile. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		() => undefined,
		(error: unknown) => error,
	);

test('a poll whose key is deleted while it waits is refused, and the run goes to whoever may have it', async (t) => {
	const {world, core, clock, person, key_id, peer, session, job} = await start();
	const refused = failureOf(peer.lease({...session, max: 1}));
	await clock.advance(10_000);
	const other = (await peerOf(world, person)).peer;
	await core.accounts.apiKeys.delete(person, key_id);
	const {id} = await core.cron.jobs.run(person, job.id);
	t.like(await refused, {kind: 'unauthenticated'});
	t.deepEqual(idsIn(await other.lease({...session, max: 1})), [id]);
});

test('a poll of a user who is disabled while it waits is refused', async (t) => {
	const {core, ports, clock, person, peer, session, job} = await start();
	const refused = failureOf(peer.lease({...session, max: 1}));
	await clock.advance(10_000);
	await ports.users.update(person.user_id, {disabled: true}, clock.now());
	await core.cron.jobs.run(person, job.id);
	t.like(await refused, {kind: 'unauthenticated'});
});

test('a poll that nothing speaks against waits as long as it may, and then brings nothing', async (t) => {
	const {clock, peer, session} = await start();
	const waiting = peer.lease({...session, max: 1});
	await clock.advance(31_000);
	t.deepEqual(await waiting, {executions: []});
});

/** A running command of a key, as its agent holds it. */
const startRunning = async () => {
	const world = await start();
	const {core, person, peer, session, job} = world;
	const {id} = await core.cron.jobs.run(person, job.id);
	const [spec] = (await peer.lease({...session, max: 1})).executions;
	const hold = {execution_id: id, lease_token: spec?.lease_token ?? ''};
	await peer.start({...hold, started_at_ms: 0});
	const outputOf = async () => core.cron.executions.get(person, id);
	return {...world, hold, outputOf};
};

test('what is sent again in one stream ends the stream, is there once, and the next one goes on from there', async (t) => {
	const {peer, hold, outputOf} = await startRunning();
	const printed = {...hold, stream: 'STDOUT' as const};
	const one = {...printed, offset: 0, data: Buffer.from('one ')};
	let read = 0;
	const endless = async function* (again: Readonly<{offset: number; data: Buffer}>) {
		for (yield one; ; yield {...printed, ...again}) read += 1;
	};
	for (const again of [one, {offset: 2, data: Buffer.from('e ')}, {offset: 4, data: Buffer.alloc(0)}]) {
		read = 0;
		t.deepEqual(await peer.appendOutput(endless(again)), {accepted_offset: 4, stop: false});
		t.is(read, 1);
	}
	const rest = async function* () {
		yield one;
		yield {...printed, offset: 4, data: Buffer.from('two')};
	};
	t.deepEqual(await peer.appendOutput(rest()), {accepted_offset: 7, stop: false});
	t.is((await outputOf()).output, 'one two');
});

test('a stream of more output than is kept ends, and no more is wanted', async (t) => {
	const {peer, hold, outputOf} = await startRunning();
	const data = Buffer.alloc(65_536, 'x');
	const endless = async function* () {
		for (let offset = 0; ; offset += data.length) yield {...hold, stream: 'STDOUT' as const, offset, data};
	};
	const kept = 2 * 1024 * 1024 + 4096;
	t.like(await peer.appendOutput(endless()), {stop: true});
	const {output, truncated} = await outputOf();
	t.deepEqual([output.length, truncated], [kept, true]);
});

const watching = (peer: AgentPeer, session: Parameters<AgentPeer['watch']>[0], signal?: AbortSignal) =>
	peer.watch(session, {...(signal && {signal})})[Symbol.asyncIterator]();

test('a watch needs the scope agent as every call of an agent does', async (t) => {
	const {world, person, session} = await start();
	for (const scope of ['proxy', 'api', 'approvals'] as const) {
		const {peer} = await peerOf(world, person, scope);
		t.like(await failureOf(watching(peer, session).next()), {kind: 'forbidden'});
	}
});

test('a watch ends with its key, within seconds', async (t) => {
	const {core, clock, person, key_id, peer, session} = await start();
	const ended = failureOf(watching(peer, session).next());
	await core.accounts.apiKeys.delete(person, key_id);
	await clock.advance(5000);
	t.like(await ended, {kind: 'unauthenticated'});
});

test('a watch goes on while its key holds, and ends with its caller', async (t) => {
	const {core, clock, person, peer, session, job} = await start();
	const given = new AbortController();
	const hints = watching(peer, session, given.signal);
	const first = hints.next();
	await clock.advance(60_000);
	await core.cron.jobs.run(person, job.id);
	t.like(await first, {value: {$case: 'wake'}});
	const last = hints.next();
	given.abort();
	t.true((await last).done);
});
