import {addCaller, builtAt} from '@signalbox/core/testing';
import test from 'ava';
import {utf8} from '../../src/values/bytes-text.ts';
import {addAgent, addJob, leaseOne, runOne, runsOf, startOne, startWorld} from './world.ts';

test('[JOB-104] an execution has all of its fields', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	const execution = await world.cron.jobs.run(world.caller, job.id);
	t.deepEqual(execution, {
		...{id: execution.id, job_id: job.id, job_name: 'Back up', status: 'pending', exit_code: null, duration_ms: null},
		...{triggered_by: 'manual', attempt: 1, retry_of: null, scheduled_for: builtAt, output: '', error: null},
		...{started_at: null, completed_at: null, missed_count: 0, truncated: false},
	});
});

test('[JOB-120 JOB-121] a list shows the last 4 KiB of each output, a single execution all of it', async (t) => {
	const world = await startWorld();
	await world.cron.jobs.run(world.caller, (await addJob(world)).id);
	const {execution_id, lease_token} = await startOne(world, await addAgent(world));
	const text = `${'a'.repeat(5000)}${'b'.repeat(4096)}`;
	await world.cron.agentWork.append(world.key, {
		execution_id,
		lease_token,
		stream: 'stdout',
		offset: 0,
		data: utf8(text),
	});
	t.is((await runsOf(world))[0]?.output, 'b'.repeat(4096));
	t.is((await world.cron.executions.get(world.caller, execution_id)).output, text);
});

test('[JOB-110] a pending execution that is canceled never runs', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {id} = await world.cron.jobs.run(world.caller, (await addJob(world)).id);
	const canceled = await world.cron.executions.cancel(world.caller, id);
	t.deepEqual([canceled.status, canceled.completed_at], ['canceled', builtAt]);
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
});

test('a leased execution that is canceled is not started', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {id} = await world.cron.jobs.run(world.caller, (await addJob(world)).id);
	const spec = await leaseOne(world, session);
	await world.cron.executions.cancel(world.caller, id);
	t.false(await world.cron.agentWork.start(world.key, spec));
});

test('[JOB-109 JOB-139] a running execution that is canceled ends at once, and nobody is told', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const notification_config = {on_failure: {enabled: true}, on_success: {enabled: true}};
	await world.cron.jobs.run(world.caller, (await addJob(world, {notification_config})).id);
	const spec = await startOne(world, session);
	t.is((await world.cron.executions.cancel(world.caller, spec.execution_id)).status, 'canceled');
	const heartbeat = await world.cron.agentWork.heartbeat(world.key, session, {is_draining: false, running: [spec]});
	t.deepEqual(heartbeat, {canceled: [spec.execution_id], lost: []});
	t.is(await world.cron.news.tell(10), 0);
});

test('[JOB-122] what has ended is not canceled', async (t) => {
	const world = await startWorld();
	await world.cron.jobs.run(world.caller, (await addJob(world)).id);
	const {execution_id} = await runOne(world, await addAgent(world));
	await t.throwsAsync(world.cron.executions.cancel(world.caller, execution_id), {message: /has ended \(success\)/});
});

test('[JOB-123 JOB-113] a retry by a person is a new execution that names the one it retries', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	await world.cron.jobs.run(world.caller, job.id);
	const {execution_id} = await runOne(world, await addAgent(world), {exit_code: 1});
	const retry = await world.cron.executions.retry(world.caller, execution_id);
	t.like(retry, {job_id: job.id, status: 'pending', triggered_by: 'retry', attempt: 2, retry_of: execution_id});
	t.is((await runsOf(world)).length, 2);
});

test('what has not ended is not retried', async (t) => {
	const world = await startWorld();
	const {id} = await world.cron.jobs.run(world.caller, (await addJob(world)).id);
	await t.throwsAsync(world.cron.executions.retry(world.caller, id), {message: /is pending/});
	await startOne(world, await addAgent(world));
	await t.throwsAsync(world.cron.executions.retry(world.caller, id), {message: /is running/});
});

test('[JOB-115 JOB-116 JOB-117] lists filter by job, status and trigger', async (t) => {
	const world = await startWorld();
	const [one, other] = [await addJob(world), await addJob(world)];
	const manual = await world.cron.jobs.run(world.caller, one.id);
	await world.cron.executions.cancel(world.caller, manual.id);
	const retry = await world.cron.executions.retry(world.caller, manual.id);
	const third = await world.cron.jobs.run(world.caller, other.id);
	const idsWith = async (filter: Parameters<typeof world.cron.executions.list>[1]) =>
		(await world.cron.executions.list(world.caller, filter, {limit: 10, offset: 0})).data.map(({id}) => id);
	t.deepEqual(await idsWith({job_id: one.id}), [retry.id, manual.id]);
	t.deepEqual(await idsWith({status: 'canceled'}), [manual.id]);
	t.deepEqual(await idsWith({triggered_by: 'manual'}), [third.id, manual.id]);
});

test('[JOB-118] lists filter by the time for which a run was scheduled, from inclusive, to exclusive', async (t) => {
	const world = await startWorld();
	const job = await addJob(world);
	const first = await world.cron.jobs.run(world.caller, job.id);
	await world.clock.advance(1000);
	const second = await world.cron.jobs.run(world.caller, job.id);
	const idsWith = async (filter: Parameters<typeof world.cron.executions.list>[1]) =>
		(await world.cron.executions.list(world.caller, filter, {limit: 10, offset: 0})).data.map(({id}) => id);
	t.deepEqual(await idsWith({from: second.scheduled_for}), [second.id]);
	t.deepEqual(await idsWith({to: second.scheduled_for}), [first.id]);
	t.deepEqual(await idsWith({from: first.scheduled_for, to: first.scheduled_for}), []);
});

test("another user's executions are not there", async (t) => {
	const world = await startWorld();
	const {id} = await world.cron.jobs.run(world.caller, (await addJob(world)).id);
	const other = await addCaller(world.ports);
	const {executions} = world.cron;
	for (const call of [executions.get, executions.cancel, executions.retry])
		await t.throwsAsync(call(other, id), {message: /no such/});
	t.deepEqual(await runsOf({...world, caller: other}), []);
});
