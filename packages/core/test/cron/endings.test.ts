import test from 'ava';
import {addAgent, addJob, exited, runOne, runsOf, startOne, startWorld, toldOf, type World} from './world.ts';

const minute = 60_000;

const runJob = async (world: World, settings: Parameters<typeof addJob>[1] = {}) => {
	const job = await addJob(world, settings);
	return {job, id: (await world.cron.jobs.run(world.caller, job.id)).id};
};

const titlesOf = async (world: World) => (await toldOf(world)).map(({title}) => title);

test('[JOB-102] what nobody leased by its start deadline fails as agent_offline', async (t) => {
	const world = await startWorld();
	const {id} = await runJob(world);
	await world.clock.advance(59 * minute);
	t.is(await world.cron.overdue.giveUp(10), 0);
	await world.clock.advance(minute);
	t.is(await world.cron.overdue.giveUp(10), 1);
	t.like(await world.cron.executions.get(world.caller, id), {
		status: 'failed',
		error: 'agent_offline',
		started_at: null,
	});
	t.is(await world.cron.overdue.giveUp(10), 0);
});

test('[JOB-103] a job that ends so is told of, unless its user does not want to hear it', async (t) => {
	const world = await startWorld();
	await runJob(world, {name: 'told'});
	await runJob(world, {name: 'quiet', notification_config: {on_failure: {enabled: false}}});
	await world.clock.advance(60 * minute);
	t.is(await world.cron.overdue.giveUp(10), 2);
	t.is(await world.cron.news.tell(10), 1);
	const [notification] = await toldOf(world);
	t.like(notification, {type: 'cron_failure', title: 'told failed', is_read: false});
	t.regex(notification?.message ?? '', /agent_offline/);
});

test('[JOB-126 AGT-013] what was started and is unheard of for 120 seconds is lost, and offered to nobody again', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {id} = await runJob(world);
	const spec = await startOne(world, session);
	await world.clock.advance(119_000);
	t.is(await world.cron.overdue.giveUp(10), 0);
	await world.cron.agentWork.heartbeat(world.key, session, {is_draining: false, running: [spec]});
	await world.clock.advance(119_000);
	t.is(await world.cron.overdue.giveUp(10), 0);
	await world.clock.advance(1000);
	t.is(await world.cron.overdue.giveUp(10), 1);
	t.like(await world.cron.executions.get(world.caller, id), {status: 'failed', error: 'agent_lost'});
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
	t.false(await world.cron.agentWork.finish(world.key, spec, exited));
	const beat = await world.cron.agentWork.heartbeat(world.key, session, {is_draining: false, running: [spec]});
	t.deepEqual(beat, {canceled: [], lost: [id]});
});

test('what is lost, or found no agent, is run again as its job says', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {id} = await runJob(world, {retry_config: {max_retries: 1, intervals: [30]}});
	await startOne(world, session);
	await world.clock.advance(2 * minute);
	t.is(await world.cron.overdue.giveUp(10), 1);
	const [retry, lost] = await runsOf(world);
	t.like(retry, {status: 'pending', attempt: 2, retry_of: id, triggered_by: 'retry'});
	t.like(lost, {id, error: 'agent_lost'});
	await world.clock.advance(61 * minute);
	t.is(await world.cron.overdue.giveUp(10), 1);
	t.deepEqual(
		(await runsOf(world)).map(({error}) => error),
		['agent_offline', 'agent_lost'],
	);
});

test('[JOB-136] a failure is told once, after the last attempt', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {job} = await runJob(world, {
		notification_config: {on_failure: {enabled: true}},
		retry_config: {max_retries: 1, intervals: [30]},
	});
	await runOne(world, session, {exit_code: 1});
	t.is(await world.cron.news.tell(10), 0);
	await world.clock.advance(30_000);
	const {execution_id} = await runOne(world, session, {outcome: 'timed_out', exit_code: null});
	t.is(await world.cron.news.tell(10), 1);
	t.is(await world.cron.news.tell(10), 0);
	const [notification, ...more] = await toldOf(world);
	t.deepEqual(more, []);
	t.like(notification, {title: 'Back up timed out', data: {job_id: job.id, execution_id, status: 'timeout'}});
});

test('[JOB-137] a success is told once to those who asked for it', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	await runJob(world, {notification_config: {on_success: {enabled: true}}});
	await runOne(world, session);
	await runJob(world);
	await runOne(world, session);
	t.is(await world.cron.news.tell(10), 1);
	// Who is told of failures alone, by a channel, does not hear of it.
	t.deepEqual(
		(await toldOf(world)).map(({type, title}) => ({type, title})),
		[{type: 'system', title: 'Back up succeeded'}],
	);
});

test('[NTF-005] of a failure everybody is told but who does not want to hear it', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	for (const notification_config of [{}, {on_failure: {enabled: false}}, {on_success: {enabled: true}}]) {
		await runJob(world, {notification_config});
		await runOne(world, session, {exit_code: 1});
	}
	t.is(await world.cron.news.tell(10), 2);
});

test('told by two at once, or again after a crash in between, it is told once', async (t) => {
	const world = await startWorld();
	await runJob(world, {notification_config: {on_failure: {enabled: true}}});
	await runOne(world, await addAgent(world), {exit_code: 1});
	const crashing = {...world.ports.executions, told: () => Promise.reject(new Error('crash'))};
	const {createExecutionNews} = await import('../../src/cron/tell.ts');
	const news = createExecutionNews({
		...world.ports,
		executions: crashing,
		sendNotice: world.core.webhook.notices.send,
	});
	await t.throwsAsync(news.tell(10), {message: 'crash'});
	await Promise.all([world.cron.news.tell(10), world.cron.news.tell(10)]);
	t.deepEqual(await titlesOf(world), ['Back up failed']);
});

test('whether it was told is looked for in the hour before its end at most, not among all that nobody read', async (t) => {
	const world = await startWorld();
	await runJob(world);
	await runOne(world, await addAgent(world), {exit_code: 1});
	const {notifications, executions} = world.ports;
	const [execution] = await executions.untold(1);
	const looked: (string | undefined)[] = [];
	const appendUnlessUnread: typeof notifications.appendUnlessUnread = (notification, subject, since) => {
		looked.push(since);
		return notifications.appendUnlessUnread(notification, subject, since);
	};
	const {createExecutionNews} = await import('../../src/cron/tell.ts');
	await createExecutionNews({
		...world.ports,
		notifications: {...notifications, appendUnlessUnread},
		sendNotice: world.core.webhook.notices.send,
	}).tell(10);
	t.is(Date.parse(execution?.completed_at ?? '') - Date.parse(looked[0] ?? ''), 3_600_000);
});
