import {addCaller, buildAccount, buildMembership, buildTeam, builtAt} from '@signalbox/core/testing';
import test from 'ava';
import {DomainError} from '../../src/errors.ts';
import {utf8} from '../../src/values/bytes-text.ts';
import {
	addAgent,
	addJob,
	agentKey,
	exited,
	host,
	leaseOne,
	runOne,
	runsOf,
	startOne,
	startWorld,
	type World,
} from './world.ts';

const addVariable = ({core, caller}: World, key: string, value: string) =>
	core.environment.variables.create(caller, {key, value, scope: 'cron'});

const runJob = async (world: World, settings: Parameters<typeof addJob>[1] = {}) => {
	const job = await addJob(world, settings);
	const {id} = await world.cron.jobs.run(world.caller, job.id);
	return {job, id};
};

test('[AGT-008 AGT-014] the first agent is the default one, and is told the times that both sides keep', async (t) => {
	const world = await startWorld();
	const first = await addAgent(world);
	const second = await addAgent(world);
	t.deepEqual([first.is_default, second.is_default], [true, false]);
	t.deepEqual(first.times, {heartbeat: 10, offline: 30, lease: 60, lost: 120});
});

test('an agent that comes again is the same, and its earlier session ends', async (t) => {
	const world = await startWorld();
	const first = await addAgent(world);
	const again = await addAgent(world, {agent_id: first.agent_id});
	t.is(again.agent_id, first.agent_id);
	t.not(again.session_id, first.session_id);
	t.is((await world.cron.agents.list(world.caller)).length, 1);
	const state = {is_draining: false, running: []};
	await t.throwsAsync(world.cron.agentWork.heartbeat(world.key, first, state), {message: /register anew/});
	t.deepEqual(await world.cron.agentWork.heartbeat(world.key, again, state), {canceled: [], lost: []});
});

test('an id that is unknown, deleted or of another user makes a new agent', async (t) => {
	const world = await startWorld();
	const other = await addCaller(world.ports);
	const theirs = await addAgent({cron: world.cron, key: agentKey(other)});
	const mine = await addAgent(world);
	await world.cron.agents.delete(world.caller, mine.agent_id);
	for (const agent_id of [theirs.agent_id, mine.agent_id, 'unknown'])
		t.not((await addAgent(world, {agent_id})).agent_id, agent_id);
	t.is((await world.cron.agents.list(other)).length, 1);
});

test('a user has 100 agents at most; those come back, and one that is deleted makes room', async (t) => {
	const world = await startWorld();
	const first = await addAgent(world);
	for (let count = 1; count < 100; count += 1) await addAgent(world);
	const refused = await t.throwsAsync<DomainError>(addAgent(world), {instanceOf: DomainError});
	t.deepEqual(
		[refused?.code, refused?.message],
		['conflict', 'You have 100 agents already, and can have no more: delete one.'],
	);
	t.is((await addAgent(world, {agent_id: first.agent_id})).agent_id, first.agent_id);
	await world.cron.agents.delete(world.caller, first.agent_id);
	t.not((await addAgent(world)).agent_id, first.agent_id);
});

test('what an agent still has from before it keeps, or is to kill', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	await runJob(world);
	await runJob(world);
	const [kept, canceled] = [await startOne(world, session), await startOne(world, session)];
	await world.cron.executions.cancel(world.caller, canceled.execution_id);
	const unknown = {execution_id: 'gone', lease_token: 'x'};
	const again = await world.cron.agentWork.register(world.key, {...host, agent_id: session.agent_id}, [
		kept,
		canceled,
		unknown,
	]);
	t.deepEqual([again.keep, again.kill], [[kept.execution_id], [canceled.execution_id, 'gone']]);
});

test('what agents say of themselves is checked field by field', async (t) => {
	const world = await startWorld();
	const error = await t.throwsAsync<DomainError>(
		addAgent(world, {name: 'x'.repeat(201), capacity: 0, os: 'x'.repeat(256)}),
		{
			instanceOf: DomainError,
		},
	);
	t.deepEqual(
		error.details?.map(({path}) => path),
		['name', 'os', 'capacity'],
	);
});

test('what agents say of themselves is printable: nobody is shown, or stores, NUL and what steers a terminal', async (t) => {
	const world = await startWorld();
	for (const field of ['name', 'hostname', 'os', 'arch', 'version'])
		for (const text of ['a\u0000b', 'a\u001b[2Jb', 'a\nb', 'a\u0085b'])
			await t.throwsAsync(addAgent(world, {[field]: text}), {message: `${field}: must not hold control characters`});
	const {agent_id} = await addAgent(world, {name: 'Büro 👩‍👩‍👧'});
	const renamed = world.cron.agents.update(world.caller, agent_id, {name: 'a\u0007'});
	await t.throwsAsync(renamed, {message: 'name: must not hold control characters'});
	t.is((await world.cron.agents.list(world.caller)).length, 1);
});

test('[JOB-036 JOB-038] the assigned agent leases a pending execution as a command that it can run', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {job, id} = await runJob(world, {environment: {A: '1'}, working_dir: '/srv', timeout_seconds: 7});
	const spec = await leaseOne(world, session);
	t.deepEqual(spec, {
		...{execution_id: id, job_id: job.id, job_name: 'Back up', attempt: 1, lease_token: spec.lease_token},
		...{command: 'backup --all', working_dir: '/srv', environment: {A: '1'}, timeout_ms: 7000, kill_grace_ms: 10_000},
		...{scheduled_for: builtAt, triggered_by: 'manual', mask: []},
	});
	t.true(spec.lease_token.length >= 43);
});

test('[AGT-009] what waits while no agent exists is taken by the first one to come', async (t) => {
	const world = await startWorld();
	const {id} = await runJob(world);
	t.is((await leaseOne(world, await addAgent(world))).execution_id, id);
});

test('[AGT-031] variables resolve when a run is leased, anew for each attempt', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const variable = await addVariable(world, 'TOKEN', 'first-value');
	await runJob(world, {command: 'use {{env.TOKEN}}', retry_config: {max_retries: 1, intervals: [1]}});
	t.is((await runOne(world, session, {exit_code: 1})).command, 'use first-value');
	await world.core.environment.variables.update(world.caller, variable.id, {value: 'second-value'});
	await world.clock.advance(1000);
	t.is((await leaseOne(world, session)).command, 'use second-value');
});

test('[AGT-032 AGT-033] values stand as they are in command, working_dir and environment', async (t) => {
	const world = await startWorld();
	await addVariable(world, 'V', '$(x); "{{env.V}}"');
	await runJob(world, {command: 'a {{env.V}}', working_dir: '/{{ env.V }}', environment: {E: '{{env.V}}', P: '$HOME'}});
	const {command, working_dir, environment} = await leaseOne(world, await addAgent(world));
	t.deepEqual([command, working_dir], ['a $(x); "{{env.V}}"', '/$(x); "{{env.V}}"']);
	t.deepEqual(environment, {E: '$(x); "{{env.V}}"', P: '$HOME'});
});

test('agents are told to mask values of 6 characters or more, each once', async (t) => {
	const world = await startWorld();
	for (const [key, value] of [
		['A', '123456'],
		['B', '12345'],
		['C', '123456'],
	] as const)
		await addVariable(world, key, value);
	await runJob(world, {environment: {A: '{{env.A}}{{env.A}}', B: '{{env.B}}', C: '{{env.C}}'}});
	t.deepEqual((await leaseOne(world, await addAgent(world))).mask, ['123456']);
});

test('[JOB-111 JOB-134] a run whose variables do not resolve fails, is not retried, and names keys but no value', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	await addVariable(world, 'KNOWN', 'top-secret');
	const broken = await runJob(world, {
		command: '{{env.KNOWN}} {{env.MISSING}}',
		retry_config: {max_retries: 5, intervals: [1]},
	});
	const sound = await runJob(world);
	t.is((await leaseOne(world, session)).execution_id, sound.id);
	const {status, error, started_at} = await world.cron.executions.get(world.caller, broken.id);
	t.deepEqual(
		[status, error, started_at],
		['failed', 'The variable MISSING does not exist (scope cron or all).', null],
	);
	t.is((await runsOf(world)).length, 2);
});

test('a variable of another scope does not resolve', async (t) => {
	const world = await startWorld();
	await world.core.environment.variables.create(world.caller, {key: 'W', value: 'top-secret', scope: 'webhook'});
	const {id} = await runJob(world, {command: '{{env.W}}'});
	t.deepEqual(await world.cron.agentWork.lease(world.key, await addAgent(world), 5), []);
	t.regex((await world.cron.executions.get(world.caller, id)).error ?? '', /scope does not cover cron/);
});

test('a command that its variables make too long fails, and takes no memory', async (t) => {
	const world = await startWorld();
	await addVariable(world, 'BIG', 'x'.repeat(64 * 1024));
	const {id} = await runJob(world, {command: '{{env.BIG}}'.repeat(5000)});
	t.deepEqual(await world.cron.agentWork.lease(world.key, await addAgent(world), 5), []);
	t.regex((await world.cron.executions.get(world.caller, id)).error ?? '', /longer than 1 MiB/);
});

test('who left a team gets none of its variables any more, until the job is saved again', async (t) => {
	const world = await startWorld();
	const {ports, caller, cron} = world;
	const owner = buildAccount();
	await ports.users.create(owner);
	const team = buildTeam();
	await ports.teams.create(team, buildMembership({team_id: team.id, user_id: owner.user.id, role: 'owner'}), 1000);
	await ports.teams.addMember(buildMembership({team_id: team.id, user_id: caller.user_id}), 1000);
	const inTeam = {...caller, team_id: team.id, team_ids: [caller.team_id, team.id]};
	await world.core.environment.variables.create(inTeam, {key: 'SHARED', value: 'of-the-team', team_id: team.id});
	await addVariable(world, 'SHARED', 'my-own');
	const session = await addAgent(world);
	const job = await addJob({...world, caller: inTeam}, {command: '{{env.SHARED}}'});
	await cron.jobs.run(caller, job.id);
	t.is((await runOne(world, session)).command, 'of-the-team');
	await ports.teams.removeMember(team.id, caller.user_id);
	const {id} = await cron.jobs.run(caller, job.id);
	t.deepEqual(await cron.agentWork.lease(world.key, session, 5), []);
	t.regex((await cron.executions.get(caller, id)).error ?? '', /SHARED are of a team that you are no longer in/);
	await cron.jobs.update(caller, job.id, {});
	await cron.jobs.run(caller, job.id);
	t.is((await leaseOne(world, session)).command, 'my-own');
});

test('[JOB-105 JOB-124] a command starts only when the server said so, and the execution is running then', async (t) => {
	const world = await startWorld();
	const {id} = await runJob(world);
	const spec = await leaseOne(world, await addAgent(world));
	t.is((await world.cron.executions.get(world.caller, id)).status, 'pending');
	t.true(await world.cron.agentWork.start(world.key, spec));
	const {status, started_at} = await world.cron.executions.get(world.caller, id);
	t.deepEqual([status, started_at], ['running', builtAt]);
	t.false(await world.cron.agentWork.start(world.key, {...spec, lease_token: 'guessed'}));
});

test('[JOB-125] a lease that runs out before the start is offered again, and the old one starts nothing', async (t) => {
	const world = await startWorld();
	await runJob(world);
	const session = await addAgent(world);
	const first = await leaseOne(world, session);
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
	await world.clock.advance(61_000);
	const second = await leaseOne(world, session);
	t.is(second.execution_id, first.execution_id);
	t.false(await world.cron.agentWork.start(world.key, first));
	t.true(await world.cron.agentWork.start(world.key, second));
});

test('[AGT-012] a heartbeat renews the lease of 60 seconds', async (t) => {
	const world = await startWorld();
	await runJob(world);
	const session = await addAgent(world);
	const spec = await leaseOne(world, session);
	await world.clock.advance(50_000);
	await world.cron.agentWork.heartbeat(world.key, session, {is_draining: false, running: [spec]});
	await world.clock.advance(50_000);
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
	await world.clock.advance(11_000);
	t.is((await world.cron.agentWork.lease(world.key, session, 5)).length, 1);
});

const outcomes: readonly [string, Partial<typeof exited>, Readonly<Record<string, unknown>>][] = [
	['exit code 0', {}, {status: 'success', exit_code: 0, error: null, duration_ms: 1200}],
	['another exit code', {exit_code: 3}, {status: 'failed', exit_code: 3, error: 'The command ended with exit code 3.'}],
	[
		'a signal',
		{outcome: 'signaled', exit_code: null, signal: 'SIGSEGV'},
		{status: 'failed', exit_code: null, error: 'The command was ended by SIGSEGV.'},
	],
	[
		'a timeout',
		{outcome: 'timed_out', exit_code: null, signal: 'SIGKILL'},
		{status: 'timeout', error: 'The command took longer than its timeout.'},
	],
	[
		'an agent that stops',
		{outcome: 'canceled', exit_code: null},
		{status: 'failed', error: 'The agent stopped, and ended the command.'},
	],
	[
		'no beginning',
		{outcome: 'spawn_error', exit_code: null, error: 'no such directory'},
		{status: 'failed', error: 'The command could not begin. no such directory'},
	],
	['a restart', {outcome: 'agent_restarted', exit_code: null}, {status: 'failed', error: 'agent_lost'}],
	['cut output', {truncated: true}, {status: 'success', truncated: true}],
];

test('[JOB-106 JOB-107 JOB-108] a report becomes the result of the execution', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	for (const [title, report, result] of outcomes) {
		const {id} = await runJob(world);
		await runOne(world, session, report);
		t.like(await world.cron.executions.get(world.caller, id), {...result, completed_at: builtAt}, title);
	}
});

test('[JOB-037] a report is taken once, and the same one again is the same', async (t) => {
	const world = await startWorld();
	const {id} = await runJob(world, {retry_config: {max_retries: 3, intervals: [60]}});
	const spec = await runOne(world, await addAgent(world), {exit_code: 1});
	t.true(await world.cron.agentWork.finish(world.key, spec, {...exited, exit_code: 1}));
	t.false(await world.cron.agentWork.finish(world.key, spec, exited));
	t.is((await world.cron.executions.get(world.caller, id)).status, 'failed');
	t.is((await runsOf(world)).length, 2);
});

test('[JOB-127 JOB-130] a failed run is followed by as many as its job says, counted up, and by no more', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	await runJob(world, {retry_config: {max_retries: 2, intervals: [30]}});
	for (const attempt of [1, 2, 3]) {
		t.is((await runOne(world, session, {exit_code: 1})).attempt, attempt);
		t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
		await world.clock.advance(30_000);
	}
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
	const runs = (await runsOf(world)).toReversed();
	t.deepEqual(
		runs.map(({attempt, triggered_by}) => [attempt, triggered_by]),
		[
			[1, 'manual'],
			[2, 'retry'],
			[3, 'retry'],
		],
	);
	t.deepEqual(
		runs.map(({retry_of}) => retry_of),
		[null, runs[0]?.id, runs[1]?.id],
	);
});

const neverRetried: readonly [string, Partial<typeof exited>][] = [
	['[JOB-131] a success', {}],
	['[JOB-133] what could not begin', {outcome: 'spawn_error', exit_code: null}],
];

for (const [title, report] of neverRetried)
	test(`${title} is not retried`, async (t) => {
		const world = await startWorld();
		await runJob(world, {retry_config: {max_retries: 5, intervals: [1]}});
		await runOne(world, await addAgent(world), report);
		t.is((await runsOf(world)).length, 1);
	});

test('[JOB-132] what was canceled is not retried', async (t) => {
	const world = await startWorld();
	const {id} = await runJob(world, {retry_config: {max_retries: 5, intervals: [1]}});
	const spec = await startOne(world, await addAgent(world));
	await world.cron.executions.cancel(world.caller, id);
	t.false(await world.cron.agentWork.finish(world.key, spec, {...exited, outcome: 'canceled', exit_code: null}));
	t.is((await runsOf(world)).length, 1);
});

test('output that comes is kept, up to its bound', async (t) => {
	const world = await startWorld();
	const {id} = await runJob(world);
	const {execution_id, lease_token} = await startOne(world, await addAgent(world));
	const chunk = {execution_id, lease_token, stream: 'stdout' as const};
	t.is(await world.cron.agentWork.append(world.key, {...chunk, offset: 0, data: utf8('one')}), 3);
	t.is(await world.cron.agentWork.append(world.key, {...chunk, stream: 'stderr', offset: 3, data: utf8(' two')}), 7);
	t.is((await world.cron.executions.get(world.caller, id)).output, 'one two');
	const much = new Uint8Array(3 * 1024 * 1024).fill(120);
	t.is(await world.cron.agentWork.append(world.key, {...chunk, offset: 7, data: much}), 7 + much.length);
	const {output, truncated} = await world.cron.executions.get(world.caller, id);
	t.deepEqual([output.length, truncated], [2 * 1024 * 1024 + 4096, true]);
});

test("an agent of another user leases, starts, feeds, ends and hears nothing of one's runs", async (t) => {
	const world = await startWorld();
	const {agentWork} = world.cron;
	const session = await addAgent(world);
	const {id} = await runJob(world);
	await runJob(world);
	const other = agentKey(await addCaller(world.ports));
	const theirs = await addAgent({cron: world.cron, key: other});
	t.deepEqual(await agentWork.lease(other, theirs, 5), []);
	t.deepEqual(await agentWork.lease(other, session, 5), []);
	const spec = await leaseOne(world, session);
	t.false(await agentWork.start(other, spec));
	t.true(await agentWork.start(world.key, spec));
	t.is(await agentWork.append(other, {...spec, stream: 'stdout', offset: 0, data: utf8('x')}), undefined);
	t.false(await agentWork.finish(other, spec, exited));
	const state = {is_draining: false, running: [spec]};
	t.deepEqual(await agentWork.heartbeat(other, theirs, state), {canceled: [], lost: [id]});
	await t.throwsAsync(agentWork.heartbeat(other, session, state), {message: /register anew/});
	await agentWork.deregister(other, session);
	t.deepEqual(await agentWork.heartbeat(world.key, session, state), {canceled: [], lost: []});
	t.like(await world.cron.executions.get(world.caller, id), {status: 'running', output: ''});
});

test('without scope agent nothing of this is done', async (t) => {
	const world = await startWorld();
	const {agentWork} = world.cron;
	const session = await addAgent(world);
	await runJob(world);
	const spec = await leaseOne(world, session);
	const key = {...world.caller, credential: {kind: 'api_key', id: 'k', scopes: ['api', 'approvals', 'proxy']}} as const;
	for (const call of [
		() => agentWork.register(key, host, []),
		() => agentWork.lease(key, session, 1),
		() => agentWork.start(key, spec),
		() => agentWork.append(key, {...spec, stream: 'stdout', offset: 0, data: utf8('x')}),
		() => agentWork.finish(key, spec, exited),
		() => agentWork.heartbeat(key, session, {is_draining: false, running: []}),
		() => agentWork.deregister(key, session),
	])
		await t.throwsAsync(call, {message: 'An agent needs an API key with scope agent.'});
	t.is((await runsOf(world))[0]?.status, 'pending');
});

test('a heartbeat that names more than any agent may run is refused', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const running = Array.from({length: 1001}, () => ({execution_id: 'x', lease_token: 'y'}));
	const refused = world.cron.agentWork.heartbeat(world.key, session, {is_draining: false, running});
	await t.throwsAsync(refused, {message: /^running: holds at most 1000/});
});

test('an agent leases no more than it asks for, has capacity for, or anybody may', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world, {capacity: 3});
	for (let made = 0; made < 5; made += 1) await runJob(world);
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, -1), []);
	t.is((await world.cron.agentWork.lease(world.key, session, 1)).length, 1);
	t.is((await world.cron.agentWork.lease(world.key, session, 1_000_000)).length, 2);
});
