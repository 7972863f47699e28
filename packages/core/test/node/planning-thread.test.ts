import {once} from 'node:events';
import type {Worker} from 'node:worker_threads';
import test, {type ExecutionContext} from 'ava';
import {createPlanningThread} from '../../src/node/webhook-planner/planning-thread.ts';
import {planHere, requestOf} from './plan-requests.ts';

/** The threads of this process that start from now on. */
const watchThreads = (t: ExecutionContext): readonly Worker[] => {
	const started: Worker[] = [];
	const remember = (worker: Worker) => started.push(worker);
	process.on('worker', remember);
	t.teardown(() => process.off('worker', remember));
	return started;
};

test.serial('a thread that has nothing to plan ends, and whoever needs one starts another', async (t) => {
	const started = watchThreads(t);
	const thread = createPlanningThread({idleMs: 0});
	t.teardown(thread.close);
	// An idle thread keeps no process alive, and the test would end with it.
	const alive = setInterval(() => undefined, 60_000);
	t.teardown(() => clearInterval(alive));
	const request = requestOf({});
	for (const turn of [0, 1]) {
		t.deepEqual((await thread.plan(request))?.plan, planHere(request));
		const worker = started[turn];
		t.truthy(worker);
		if (worker) await once(worker, 'exit');
	}
	t.is(started.length, 2);
});

test.serial('a thread that is asked again before it ends goes on', async (t) => {
	const started = watchThreads(t);
	const thread = createPlanningThread();
	t.teardown(thread.close);
	for (const request of [requestOf({}), requestOf({body: {b: 2}})])
		t.deepEqual((await thread.plan(request))?.plan, planHere(request));
	t.is(started.length, 1);
});
