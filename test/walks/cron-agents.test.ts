import {type OutputChunk, type Peer, RpcError} from '@signalbox/rpc';
import test, {type ExecutionContext} from 'ava';
import {type Api, type Body, createApi, registerPerson} from '../support/api.ts';
import {connect, failureOf, logIn} from '../support/grpc.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer, type TestServerOptions} from '../support/server.ts';

const host = {
	...{agent_id: '', name: 'db-1', hostname: 'db-1.example.com', os: 'linux', arch: 'x64', version: '1.0.0'},
	...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
};
const minimal = {name: 'Back up', schedule: '0 3 * * *', command: './backup.sh', is_enabled: false};
const unknownId = '01890000-0000-7000-8000-000000000000';

const start = async (t: ExecutionContext, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const person = await registerPerson(api, 'ada');
	const {api_key} = await logIn(connect(t, server), person);
	return {server, api, person, mine: person.api, peer: connect(t, server, api_key)};
};

const begin = async (peer: Peer, fields: Partial<typeof host> = {}) => {
	const {agent_id, session_id} = await peer.register({...host, ...fields, running: []});
	return {agent_id, session_id};
};

const makeJob = async (t: ExecutionContext, mine: Api, fields: Body = {}): Promise<Body> => {
	const {status, body, text} = await mine.post('/v1/cron-jobs', {...minimal, ...fields});
	t.is(status, 201, text);
	return body;
};

/** Runs a job now. */
const run = async (mine: Api, {id}: Body): Promise<Body> => (await mine.post(`/v1/cron-jobs/${id}/run`)).body;

/** Leases a run that is due and starts it. */
const startRun = async (peer: Peer, session: Awaited<ReturnType<typeof begin>>, {id}: Body) => {
	const {executions} = await peer.lease({agent_id: session.agent_id, session_id: session.session_id, max: 1});
	const hold = {
		execution_id: id,
		lease_token: executions.find(({execution_id}) => execution_id === id)?.lease_token ?? '',
	};
	await peer.start({...hold, started_at_ms: 0});
	return {...hold, output_offset: 0};
};

const executionOf = async (mine: Api, id: string): Promise<Body> => (await mine.get(`/v1/cron-executions/${id}`)).body;

async function* chunksOf(...chunks: readonly OutputChunk[]): AsyncGenerator<OutputChunk, void> {
	yield* chunks;
}

const ended = {
	...{outcome: 'EXITED' as const, exit_code: 0, signal: '', error: '', finished_at_ms: 0, duration_ms: 12},
	...{stdout_bytes: 0, stderr_bytes: 0, truncated: false},
};

test('[AGT-001 AGT-002 AGT-008] who registers is an agent of its user, the first one the default, online until it leaves', async (t) => {
	const {mine, peer} = await start(t);
	const session = await begin(peer);
	const second = await begin(peer, {name: 'db-2'});
	const {data} = (await mine.get('/v1/agents')).body;
	const fields = 'id name hostname os arch version status is_default capacity running last_seen_at created_at';
	t.deepEqual(Object.keys(data[0]).sort(), fields.split(' ').sort());
	t.like(data[0], {id: session.agent_id, name: 'db-1', status: 'online', is_default: true, capacity: 4, running: 0});
	t.like(data[1], {id: second.agent_id, is_default: false});
	await peer.deregister(session);
	t.is((await mine.get(`/v1/agents/${session.agent_id}`)).body.status, 'offline');
});

test('[AGT-003 AGT-004] agents are seen by their user only', async (t) => {
	const {api, mine, peer} = await start(t);
	const {agent_id} = await begin(peer);
	const other = (await registerPerson(api, 'other')).api;
	t.deepEqual((await other.get('/v1/agents')).body, {data: []});
	t.is((await other.get(`/v1/agents/${agent_id}`)).status, 404);
	t.is((await mine.get(`/v1/agents/${unknownId}`)).status, 404);
	t.is((await mine.get(`/v1/agents/${agent_id}`)).body.id, agent_id);
	t.is((await api.get('/v1/agents')).status, 401);
});

test('[AGT-005 AGT-006 AGT-007] an agent is renamed, made the one default, and deleted', async (t) => {
	const {mine, peer} = await start(t);
	const [one, two] = [await begin(peer), await begin(peer, {name: 'db-2'})];
	const change = {name: 'main', is_default: true};
	t.like((await mine.put(`/v1/agents/${two.agent_id}`, change)).body, change);
	t.false((await mine.get(`/v1/agents/${one.agent_id}`)).body.is_default);
	t.is((await mine.put(`/v1/agents/${two.agent_id}`, {is_default: false})).status, 400);
	t.is((await mine.delete(`/v1/agents/${two.agent_id}`)).status, 204);
	t.is((await mine.get(`/v1/agents/${two.agent_id}`)).status, 404);
	t.true((await mine.get(`/v1/agents/${one.agent_id}`)).body.is_default);
});

test('[JOB-002 JOB-016] a job names its agent: the chosen one, else the default one', async (t) => {
	const {mine, peer} = await start(t);
	const [one, two] = [await begin(peer), await begin(peer, {name: 'db-2'})];
	t.like(await makeJob(t, mine), {agent_id: one.agent_id, agent_name: 'db-1'});
	t.like(await makeJob(t, mine, {agent_id: two.agent_id}), {agent_id: two.agent_id, agent_name: 'db-2'});
});

test('[JOB-037 JOB-038 JOB-105] a run is leased with all it needs, started, printed and reported', async (t) => {
	const {mine, peer} = await start(t);
	await mine.post('/v1/environment', {key: 'TOKEN', value: 'secret value'});
	const session = await begin(peer);
	const job = await makeJob(t, mine, {environment: {A: '{{env.TOKEN}}'}, working_dir: '/srv', timeout_seconds: 7});
	const {id} = await run(mine, job);
	const [spec] = (await peer.lease({...session, max: 4})).executions;
	t.like(spec, {
		...{execution_id: id, job_id: job.id, job_name: 'Back up', attempt: 1, command: './backup.sh'},
		...{working_dir: '/srv', timeout_ms: 7000, triggered_by: 'manual', mask: ['secret value']},
	});
	t.deepEqual(spec?.environment, {A: 'secret value'});
	const hold = {execution_id: id, lease_token: spec?.lease_token ?? ''};
	t.is((await executionOf(mine, id)).status, 'pending');
	t.true((await peer.start({...hold, started_at_ms: 0})).proceed);
	t.like(await executionOf(mine, id), {status: 'running', completed_at: null});
	t.not((await executionOf(mine, id)).started_at, null);
	const data = Buffer.from('grüße\n');
	const printed = {...hold, stream: 'STDOUT' as const};
	t.deepEqual(await peer.appendOutput(chunksOf({...printed, offset: 0, data})), {accepted_offset: 8, stop: false});
	// Behind a gap nothing is taken, and what is there already is not added twice.
	const gap = peer.appendOutput(chunksOf({...printed, offset: 100, data}));
	t.deepEqual(await gap, {accepted_offset: 8, stop: false});
	await peer.appendOutput(chunksOf({...printed, offset: 0, data}, {...printed, stream: 'STDERR', offset: 8, data}));
	for (let again = 0; again < 2; again += 1) t.deepEqual(await peer.finish({...hold, ...ended}), {accepted: true});
	t.like(await executionOf(mine, id), {status: 'success', exit_code: 0, duration_ms: 12, output: 'grüße\ngrüße\n'});
	t.deepEqual(await peer.appendOutput(chunksOf({...printed, offset: 16, data})), {accepted_offset: 0, stop: true});
});

test('[AGT-040] a poll that waits is answered as soon as there is work, and nobody watches', async (t) => {
	const {mine, peer} = await start(t);
	const session = await begin(peer);
	const job = await makeJob(t, mine);
	const leased = peer.lease({...session, max: 1});
	const {id} = await run(mine, job);
	t.deepEqual(
		(await leased).executions.map(({execution_id}) => execution_id),
		[id],
	);
});

test('a poll that waits ends with its key: the run goes to a key that holds', async (t) => {
	const {server, person, mine, peer} = await start(t);
	const session = await begin(peer);
	const job = await makeJob(t, mine);
	const {api_key_id} = await peer.whoAmI({});
	const another = connect(t, server, (await logIn(connect(t, server), person)).api_key);
	const refused = failureOf(peer.lease({...session, max: 1}));
	await another.whoAmI({});
	t.is((await mine.delete(`/v1/api-keys/${api_key_id}`)).status, 204);
	const {id} = await run(mine, job);
	t.is(await refused, 'unauthenticated');
	t.is((await another.lease({...session, max: 1})).executions[0]?.execution_id, id);
});

test('[JOB-092] a tick that is due reaches a poll that waits', async (t) => {
	const {server, mine, peer} = await start(t);
	const session = await begin(peer);
	const job = await makeJob(t, mine, {schedule: 'every minute', is_enabled: true});
	const leased = peer.lease({...session, max: 1});
	server.advance(61_000);
	t.like((await leased).executions[0], {job_id: job.id, triggered_by: 'scheduled'});
});

test('who watches is told of work and of cancels, and nothing of other people', async (t) => {
	const {server, api, mine, peer} = await start(t);
	const session = await begin(peer);
	const other = await registerPerson(api, 'other');
	const job = await makeJob(t, mine);
	const given = new AbortController();
	const hints = peer.watch(session, {signal: given.signal})[Symbol.asyncIterator]();
	const first = hints.next();
	// Whoever watches is told of what happens once the server has the call: so it happens until then.
	let told = false;
	void first.then(() => {
		told = true;
	});
	const theirs = await makeJob(t, other.api);
	const ids = await until(async () => {
		await run(other.api, theirs);
		const {id} = await run(mine, job);
		return told && [id];
	});
	t.like(await first, {value: {$case: 'wake'}});
	await mine.post(`/v1/cron-executions/${ids[0]}/cancel`);
	const canceled = await until(async () => {
		const {value} = await hints.next();
		return value?.$case === 'cancel' && value.value;
	});
	t.is(canceled.execution_id, ids[0]);
	given.abort();
	t.is(server.logs().filter((line) => line.includes('"level":50')).length, 0);
});

test('[JOB-109] the heartbeat of an agent hears what was canceled, and its report comes too late', async (t) => {
	const {mine, peer} = await start(t);
	const session = await begin(peer);
	const {id} = await run(mine, await makeJob(t, mine));
	const [spec] = (await peer.lease({...session, max: 1})).executions;
	const hold = {execution_id: id, lease_token: spec?.lease_token ?? ''};
	await peer.start({...hold, started_at_ms: 0});
	await mine.post(`/v1/cron-executions/${id}/cancel`);
	const running = [
		{...hold, output_offset: 0},
		{execution_id: unknownId, lease_token: 'x', output_offset: 0},
	];
	const {cancel, lost} = await peer.heartbeat({...session, running, draining: false});
	t.deepEqual(
		cancel.map(({execution_id}) => execution_id),
		[id],
	);
	t.deepEqual(lost, [unknownId]);
	t.deepEqual(await peer.finish({...hold, ...ended}), {accepted: false});
	t.is((await executionOf(mine, id)).status, 'canceled');
});

test('[JOB-125] what an agent says of a run whose lease is over and somebody else has is refused, and changes nothing', async (t) => {
	const {server, mine, peer} = await start(t);
	const [stale, next] = [await begin(peer), await begin(peer, {name: 'db-2'})];
	const {id} = await run(mine, await makeJob(t, mine));
	const leaseOnce = async (session: typeof stale) => {
		const [spec] = (await peer.lease({...session, max: 1})).executions;
		t.is(spec?.execution_id, id);
		return {execution_id: id, lease_token: spec?.lease_token ?? ''};
	};
	const old = await leaseOnce(stale);
	server.advance(61_000);
	await mine.put(`/v1/agents/${next.agent_id}`, {is_default: true});
	const held = await leaseOnce(next);
	t.not(held.lease_token, old.lease_token);

	const printed = {stream: 'STDOUT' as const, offset: 0, data: Buffer.from('stale\n')};
	const refusals = async (by: typeof stale) => {
		const before = await executionOf(mine, id);
		t.like(await peer.start({...old, started_at_ms: 0}), {proceed: false});
		t.deepEqual(await peer.appendOutput(chunksOf({...old, ...printed})), {accepted_offset: 0, stop: true});
		t.deepEqual(await peer.finish({...old, ...ended}), {accepted: false});
		t.deepEqual(await peer.finish({...old, ...ended, outcome: 'SPAWN_ERROR'}), {accepted: false});
		const running = [{...old, output_offset: 0}];
		t.deepEqual((await peer.heartbeat({...by, running, draining: false})).lost, [id]);
		t.deepEqual(await executionOf(mine, id), before);
	};
	await refusals(stale);
	t.true((await peer.start({...held, started_at_ms: 0})).proceed);
	await refusals(stale);
	// The one that has it does not get in with the token of before either.
	await refusals(next);
	t.deepEqual(await peer.finish({...held, ...ended, exit_code: 3}), {accepted: true});
	await refusals(stale);
	t.like(await executionOf(mine, id), {status: 'failed', exit_code: 3, output: ''});
});

test('[AGT-039] an agent is offline when it says nothing, connected or not, and online as soon as it speaks', async (t) => {
	const {server, person, mine, peer} = await start(t);
	const session = await begin(peer);
	const status = async () => (await mine.get(`/v1/agents/${session.agent_id}`)).body.status;
	t.is(await status(), 'online');
	server.advance(31_000);
	// Its connection is as good as ever.
	await peer.whoAmI({});
	t.is(await status(), 'offline');
	const another = connect(t, server, (await logIn(connect(t, server), person)).api_key);
	await another.heartbeat({...session, running: [], draining: false});
	t.is(await status(), 'online');
});

test('[AGT-002 AGT-017] an agent that drains says so with its heartbeats, is shown so, and is given nothing', async (t) => {
	const {server, mine, peer} = await start(t);
	const session = await begin(peer);
	const job = await makeJob(t, mine);
	const running = await startRun(peer, session, await run(mine, job));
	const {id} = await run(mine, job);
	const status = async () => (await mine.get(`/v1/agents/${session.agent_id}`)).body.status;
	for (const draining of [true, true]) {
		await peer.heartbeat({...session, running: [running], draining});
		t.is(await status(), 'draining');
		const poll = peer.lease({...session, max: 1});
		await peer.whoAmI({});
		server.advance(31_000);
		t.deepEqual(await poll, {executions: []});
	}
	t.deepEqual(await peer.heartbeat({...session, running: [running], draining: false}).then(({lost}) => lost), []);
	t.is(await status(), 'online');
	t.is((await peer.lease({...session, max: 1})).executions[0]?.execution_id, id);
});

test('[AGT-014] the times that an agent keeps come with its registration, as the server is set', async (t) => {
	const usual = await start(t);
	t.like(await usual.peer.register(host), {
		...{heartbeat_interval_ms: 10_000, offline_ms: 30_000, lease_ttl_ms: 60_000, lost_ms: 120_000},
	});
	const {server, mine, peer} = await start(t, {agentTimes: {heartbeat: 1, offline: 2, lease: 3, lost: 4}});
	const registered = await peer.register(host);
	t.like(registered, {heartbeat_interval_ms: 1000, offline_ms: 2000, lease_ttl_ms: 3000, lost_ms: 4000});
	const {id} = await run(mine, await makeJob(t, mine));
	await startRun(peer, registered, {id});
	server.advance(2000);
	t.is((await mine.get(`/v1/agents/${registered.agent_id}`)).body.status, 'offline');
	server.advance(2000);
	const given = await until(async () => {
		const execution = await executionOf(mine, id);
		return execution.completed_at !== null && execution;
	}, 'the run is given up');
	t.like(given, {status: 'failed', error: 'agent_lost'});
});

test('a new session of an agent ends the one before, and one of another protocol has none', async (t) => {
	const {peer} = await start(t);
	const registered = await peer.register(host);
	t.true(registered.is_default);
	const again = await peer.register({...host, agent_id: registered.agent_id});
	t.is(again.agent_id, registered.agent_id);
	const {agent_id, session_id} = registered;
	t.is(await failureOf(peer.heartbeat({agent_id, session_id, running: [], draining: false})), 'conflict');
	t.is(await failureOf(peer.register({...host, protocol_version: 2})), 'unsupported');
});

test('only a key with scope agent works as one, and nobody for others', async (t) => {
	const {server, api, mine, peer} = await start(t);
	const session = await begin(peer);
	const {id} = await run(mine, await makeJob(t, mine));
	const {key} = (await mine.post('/v1/api-keys', {name: 'api only'})).body;
	const apiOnly = connect(t, server, key);
	t.is((await apiOnly.whoAmI({})).email.length > 0, true);
	const hold = {execution_id: id, lease_token: 'guessed'};
	const calls = (by: Peer) => [
		by.register(host),
		by.lease({...session, max: 1}),
		by.start({...hold, started_at_ms: 0}),
		by.heartbeat({...session, running: [], draining: false}),
		by.finish({...hold, ...ended}),
		by.deregister(session),
		by.watch(session)[Symbol.asyncIterator]().next(),
		by.appendOutput(chunksOf({...hold, stream: 'STDOUT', offset: 0, data: Buffer.from('x')})),
	];
	for (const call of calls(apiOnly)) t.is(await failureOf(call), 'forbidden');
	for (const call of calls(connect(t, server, 'sbx_00000000_guessed'))) t.is(await failureOf(call), 'unauthenticated');
	const other = await registerPerson(api, 'other');
	const theirs = connect(t, server, (await logIn(connect(t, server), other)).api_key);
	t.false((await theirs.start({...hold, started_at_ms: 0})).proceed);
	t.is(await failureOf(theirs.heartbeat({...session, running: [], draining: false})), 'conflict');
	t.is((await executionOf(mine, id)).status, 'pending');
});

test('a report that is none is refused and named', async (t) => {
	const {peer} = await start(t);
	await begin(peer);
	const report = {...ended, execution_id: unknownId, lease_token: 'x', outcome: 'OUTCOME_UNSPECIFIED' as const};
	const error = await t.throwsAsync(peer.finish(report), {instanceOf: RpcError});
	t.regex(error?.message ?? '', /outcome/);
	const nowhere = {execution_id: unknownId, lease_token: 'x', stream: 'STREAM_UNSPECIFIED' as const, offset: 0};
	t.is(await failureOf(peer.appendOutput(chunksOf({...nowhere, data: Buffer.from('x')}))), 'invalid');
});

test('a server that stops answers polls that wait', async (t) => {
	const {server, peer} = await start(t);
	const session = await begin(peer);
	const poll = peer.lease({...session, max: 1});
	// Answered after the poll has come in.
	await peer.whoAmI({});
	await server.composition.stop();
	t.deepEqual(await poll, {executions: []});
});
