import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {createWebhookPlanner} from '@signalbox/core/node';
import test from 'ava';
import type {PlanJob, PlanRequest} from '../../src/ports/index.ts';
import {evilPaths, evilPatterns} from '../../src/testing/evil-cases.ts';
import {ruleOf, steps} from '../webhook/support.ts';
import {type Asked, planHere, requestOf} from './plan-requests.ts';

/** A webhook whose planning takes that many milliseconds for each step, by a clock of its own. */
const slowJob = (clock: {ms: number}, request: PlanRequest, stepsMs: number[]) => {
	const did: string[] = [];
	const job: PlanJob = {
		pipeline: request.pipeline,
		bytes: request.message.body.length,
		run: (proceed) => {
			did.push('begun here');
			for (const ms of stepsMs) {
				proceed();
				clock.ms += ms;
			}
			did.push('ended here');
			return planHere(request);
		},
		describe: () => {
			did.push('apart');
			return request;
		},
	};
	return {job, did, stepsMs};
};

/** One that never plans here. */
const apart = () => {
	const planner = createWebhookPlanner();
	const plan = async (request: PlanRequest) =>
		planner.plan({
			pipeline: request.pipeline,
			bytes: Number.MAX_SAFE_INTEGER,
			run: () => {
				throw new Error('it was planned here');
			},
			describe: () => request,
		});
	return {plan, close: planner.close};
};

const everything: Asked = {
	middlewares: steps(
		{type: 'deduplicate', config: {key: '$.id', ttl_seconds: 60}} as never,
		{type: 'transform_headers', config: {set: {'X-Token': '{{env.TOKEN}}'}, remove: ['Content-Type']}} as never,
		{type: 'transform_body', config: {set: {'note.by': 'us {{env.TOKEN}}'}}} as never,
		{type: 'delay', config: {seconds: 5}} as never,
	),
	rules: [
		ruleOf({
			id: 'r1',
			condition_source: 'body',
			condition_field: '$.a',
			condition_operator: 'equals',
			condition_value: '1',
		}),
		ruleOf({id: 'r2', transform_body: '{"was": {{ body.a }}, "token": "{{env.TOKEN}}"}', sort_order: 1}),
		ruleOf({id: 'r3', transform_body: '{{ body.a | no_such_filter }}', sort_order: 2, is_active: false}),
	],
	body: {id: 7, a: 1, text: '\u0000 é 💥 {{env.TOKEN}}'},
};

test('what is planned in the thread is what is planned here', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	const cases: readonly Asked[] = [everything, {body: ''}, {body: 'no JSON'}, {...everything, body: {a: 2}}];
	for (const asked of cases) t.deepEqual(await plan(requestOf(asked)), planHere(requestOf(asked)));
});

test('[MID-040][MID-043] so are patterns and paths that were made to take long', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	const filterOf = (field: string, value: string) =>
		steps({type: 'filter', config: {field, operator: field === 'body' ? 'matches' : 'equals', value}});
	const cases = [
		...['a[ab]{20}c', '(a|b)*a(a|b){12}d'].map((asked) => evilPatterns.find((each) => each.asked === asked)),
		...['$..k1', '$[?@ == $]'].map((asked) => evilPaths.find((each) => each.asked === asked)),
	];
	for (const evil of cases) {
		if (evil === undefined) throw new Error('there is no such case');
		const [field, value] = evil.asked.startsWith('$') ? [evil.asked, 'b'] : ['body', evil.asked];
		const request = requestOf({middlewares: filterOf(field, value), body: evil.text()});
		const planned = await plan(request);
		t.deepEqual(planned, planHere(request), evil.asked);
		t.like(planned, {outcome: {status: 'pipeline_error'}}, evil.asked);
	}
});

test('many at once are each answered with their own plan, bodies untouched', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	const requests = Array.from({length: 50}, (_, a) => requestOf({...everything, body: {a}}));
	const sizes = requests.map(({message}) => message.body.length);
	const plans = await Promise.all(requests.map(plan));
	t.deepEqual(plans, requests.map(planHere));
	t.deepEqual(
		requests.map(({message}) => message.body.length),
		sizes,
	);
});

test('no endpoint fills the line of all: while many of one wait, those of another one come in between', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	const [request, other] = [requestOf(everything), requestOf(everything)];
	let planned = 0;
	const many = Array.from({length: 1000}, async () => {
		t.deepEqual(await plan(request), planHere(request));
		planned += 1;
	});
	t.deepEqual(await plan(other), planHere(other));
	t.true(planned < 500, `${planned} came before it`);
	await Promise.all(many);
	t.is(planned, 1000, 'nobody is refused');
});

test('a body that is a part of a larger buffer is left where it is', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	const pool = new TextEncoder().encode('before{"a":1}after');
	const request = requestOf(everything);
	const part = {...request, message: {...request.message, body: pool.subarray(6, 13)}};
	t.deepEqual(await plan(part), planHere(part));
	t.is(new TextDecoder().decode(pool), 'before{"a":1}after');
});

test('what is quick is planned here; what takes long is begun anew in the thread, and the next of its endpoint there at once', async (t) => {
	const clock = {ms: 0};
	const planner = createWebhookPlanner({elapsedMs: () => clock.ms});
	t.teardown(planner.close);
	const request = requestOf({});
	const quick = slowJob(clock, request, [1, 1, 1]);
	t.deepEqual(await planner.plan(quick.job), planHere(request));
	t.deepEqual(quick.did, ['begun here', 'ended here']);
	const slow = slowJob(clock, request, [1, 30, 1]);
	t.deepEqual(await planner.plan(slow.job), planHere(request));
	t.deepEqual(slow.did, ['begun here', 'begun here', 'apart']);
	const next = slowJob(clock, request, [1]);
	await planner.plan(next.job);
	t.deepEqual(next.did, ['apart']);
	const other = slowJob(clock, requestOf({}), [1]);
	await planner.plan(other.job);
	t.deepEqual(other.did, ['begun here', 'ended here'], 'another endpoint, or version of it');
});

test('what took long once, as a collection of garbage makes it, is measured again, and starts no thread', async (t) => {
	const clock = {ms: 0};
	const planner = createWebhookPlanner({elapsedMs: () => clock.ms});
	t.teardown(planner.close);
	const request = requestOf({});
	const interrupted = slowJob(clock, request, [30, 1]);
	setImmediate(() => interrupted.stepsMs.splice(0, 2, 1, 1));
	t.deepEqual(await planner.plan(interrupted.job), planHere(request));
	t.deepEqual(interrupted.did, ['begun here', 'begun here', 'ended here']);
	const twice = slowJob(clock, request, [5, 1]);
	setImmediate(() => setImmediate(() => twice.stepsMs.splice(0, 2, 1, 1)));
	await planner.plan(twice.job);
	t.deepEqual(twice.did, ['begun here', 'begun here', 'begun here', 'ended here']);
	const cold = slowJob(clock, requestOf({}), [20, 1]);
	setImmediate(() => cold.stepsMs.splice(0, 2, 5, 1));
	setImmediate(() => setImmediate(() => cold.stepsMs.splice(0, 2, 1, 1)));
	await planner.plan(cold.job);
	t.deepEqual(cold.did, ['begun here', 'begun here', 'begun here', 'ended here']);
	const late = slowJob(clock, request, [30]);
	setImmediate(() => late.stepsMs.splice(0, 1, 1));
	await planner.plan(late.job);
	t.deepEqual(late.did, ['begun here', 'ended here', 'begun here', 'ended here']);
	const next = slowJob(clock, request, [1]);
	await planner.plan(next.job);
	t.deepEqual(next.did, ['begun here', 'ended here']);
});

test('while one is measured again, those of its endpoint wait, so that many at once take no longer here than one', async (t) => {
	const clock = {ms: 0};
	const planner = createWebhookPlanner({elapsedMs: () => clock.ms});
	t.teardown(planner.close);
	const request = requestOf({});
	const jobs = Array.from({length: 20}, () => slowJob(clock, request, [30, 1]));
	await Promise.all(jobs.map(({job}) => planner.plan(job)));
	t.deepEqual(
		jobs.map(({did}) => did.join()),
		['begun here,begun here,apart', ...Array.from({length: 19}, () => 'apart')],
	);
});

test('what takes a little too long each time is given up here once that took 16 ms more', async (t) => {
	const clock = {ms: 0};
	const planner = createWebhookPlanner({elapsedMs: () => clock.ms});
	t.teardown(planner.close);
	const {job, did} = slowJob(clock, requestOf({}), [5, 1]);
	await planner.plan(job);
	t.deepEqual(did, [...Array.from({length: 5}, () => 'begun here'), 'apart']);
	t.is(clock.ms, 25);
});

test('once its webhooks are quick again, an endpoint is planned here again', async (t) => {
	const clock = {ms: 0};
	const planner = createWebhookPlanner({elapsedMs: () => clock.ms});
	t.teardown(planner.close);
	const request = requestOf({});
	await planner.plan(slowJob(clock, request, [10, 30]).job);
	const places: string[] = [];
	for (let count = 0; count < 40; count += 1) {
		const {job, did} = slowJob(clock, request, []);
		await planner.plan(job);
		places.push(did.at(-1) ?? '');
	}
	t.is(places[0], 'apart');
	t.is(places.at(-1), 'ended here');
});

test('a body of a mebibyte is read in the thread', async (t) => {
	const clock = {ms: 0};
	const planner = createWebhookPlanner({elapsedMs: () => clock.ms});
	t.teardown(planner.close);
	const {job, did} = slowJob(clock, requestOf({body: {a: 'x'.repeat(1024 * 1024)}}), []);
	await planner.plan(job);
	t.deepEqual(did, ['apart']);
});

test('what the thread had begun when it ended is refused as for now, and the next one starts it again', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	await plan(requestOf({}));
	const pending = plan(requestOf(everything));
	const [refused] = await Promise.all([t.throwsAsync(pending), close()]);
	t.like(refused, {reason: 'service_unavailable'});
	t.deepEqual(await plan(requestOf(everything)), planHere(requestOf(everything)));
});

test('a fault of ours is told, and harms no other webhook', async (t) => {
	const {plan, close} = apart();
	t.teardown(close);
	const broken = {...requestOf(everything), delivery_ids: []};
	const [fault, plan2] = await Promise.allSettled([plan(broken), plan(requestOf(everything))]);
	t.like(fault, {status: 'rejected', reason: {message: 'more deliveries were planned than ids were drawn'}});
	t.like(plan2, {status: 'fulfilled', value: planHere(requestOf(everything))});
});

test('a planner that is not closed keeps no process alive', async (t) => {
	const args = ['--conditions=@signalbox/source', 'plan-once.ts'];
	const {stdout} = await promisify(execFile)(process.execPath, args, {timeout: 30_000, cwd: import.meta.dirname});
	t.is(stdout, 'apart: delivery\n');
});

test('where no thread can be started, all is planned here', async (t) => {
	const script = "await import('./plan-once.ts')";
	const args = ['--input-type=module', '--conditions=@signalbox/source', '--eval', script];
	const {stdout} = await promisify(execFile)(process.execPath, args, {timeout: 30_000, cwd: import.meta.dirname});
	t.is(stdout, 'here: delivery\n');
});
