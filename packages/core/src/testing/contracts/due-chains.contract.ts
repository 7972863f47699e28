import {buildEnding, buildNewExecution} from '../builders/cron.ts';
import {addChainOwner, addRunningChain, cancelEffect, dueOne, end, startChain, startStep} from './chain-world.ts';
import {addJob, addRun, type CronContract, leaseRuns, readRun, startRun} from './cron-world.ts';
import {idsOf} from './world.ts';

const day = 24 * 3600;

export const dueChains: CronContract = {
	subject: 'due chain executions',
	cases: {
		'one that has begun is due at the deadline of its step': async (t, world) => {
			const owner = await addRunningChain(world, {seconds: 60});
			t.deepEqual((await world.stores.chainExecutions.due(10)).executions, []);
			await world.advance(61);
			const {execution, run} = await dueOne(world);
			t.deepEqual(execution, owner.execution);
			t.deepEqual([run?.id, run?.status], [owner.run.id, 'pending']);
		},
		'the longest due come first, over all users, and the moment of the reading with them': async (t, world) => {
			const first = await startChain(world, (await addChainOwner(world)).chain);
			await world.advance(2);
			const second = await startChain(world, (await addChainOwner(world)).chain);
			const {due} = world.stores.chainExecutions;
			const before = world.now();
			const {now, executions} = await due(10);
			t.is(now >= before && now <= world.now(), true);
			t.deepEqual(executions, [
				{execution: first, run: null},
				{execution: second, run: null},
			]);
			t.deepEqual(idsOf((await due(1)).executions.map(({execution}) => execution)), [first.id]);
		},
		'it is due at once when its run has ended, and whoever knew less is too late': async (t, world) => {
			const owner = await addRunningChain(world);
			const hold = await startRun(world, owner.agent);
			const result = {status: 'failed', exit_code: 3, duration_ms: 40, error: 'It ended with 3.'} as const;
			await world.stores.executionLeases.finish(owner.user_id, hold, buildEnding({result}));
			const {execution, run} = await dueOne(world);
			const {started_at, completed_at} = await readRun(world, owner, owner.run.id);
			const {status, error, duration_ms} = result;
			t.deepEqual(run, {id: owner.run.id, status, error, started_at, completed_at, duration_ms});
			t.is(await end(world, owner.execution, 'completed'), undefined);
			t.deepEqual(await end(world, execution, 'completed'), {started: [], canceled: []});
		},
		'it is due at once when its run was canceled, given up, or went with its job': async (t, world) => {
			const canceled = await addRunningChain(world);
			await world.stores.executions.cancel(canceled.user_id, canceled.run.id);
			const one = await dueOne(world);
			t.deepEqual([one.execution.id, one.run?.status], [canceled.execution.id, 'canceled']);
			await end(world, one.execution, 'failed');

			const deleted = await addRunningChain(world);
			await world.stores.cronJobs.delete(deleted.user_id, deleted.job.id);
			const other = await dueOne(world);
			t.deepEqual([other.execution.id, other.run], [deleted.execution.id, null]);
			await end(world, other.execution, 'failed');

			const waiting = await addRunningChain(world, {seconds: 2 * day});
			await world.advance(day);
			const [overdue] = await world.stores.executionLeases.overdue(120, 10);
			if (overdue === undefined) throw new Error('nothing is overdue');
			await world.stores.executionLeases.giveUp(overdue, 120, buildEnding({result: {status: 'failed'}}));
			const last = await dueOne(world);
			t.deepEqual([last.execution.id, last.run?.status], [waiting.execution.id, 'failed']);
		},
		'its run is that of the step that runs, however often the one before was tried': async (t, world) => {
			const owner = await addRunningChain(world);
			const hold = await startRun(world, owner.agent);
			const retry = buildNewExecution({
				...{job_id: owner.job.id, triggered_by: 'retry', attempt: 2, retry_of: owner.run.id},
			});
			const ending = buildEnding({result: {status: 'failed'}, retry});
			await world.stores.executionLeases.finish(owner.user_id, hold, ending);
			const second = await startStep(world, (await dueOne(world)).execution, {order: 1, seconds: 60});
			await world.advance(61);
			t.is((await dueOne(world)).run?.id, second.run.id);
		},
		'it is due at once when its run is followed by another attempt, which is its run then': async (t, world) => {
			const owner = await addRunningChain(world);
			const hold = await startRun(world, owner.agent);
			const retry = buildNewExecution({
				...{job_id: owner.job.id, triggered_by: 'retry', attempt: 2, retry_of: owner.run.id},
				after_seconds: 0,
			});
			const ending = buildEnding({result: {status: 'failed'}, retry});
			await world.stores.executionLeases.finish(owner.user_id, hold, ending);
			const {execution, run} = await dueOne(world);
			t.deepEqual([run?.id, run?.status], [retry.id, 'pending']);
			const [leased] = await leaseRuns(world, owner.agent, 1);
			t.deepEqual(leased?.step, {deadline_at: owner.execution.due_at, event_id: null});
			const next = {...execution, due_at: owner.execution.due_at};
			await world.stores.chainExecutions.advance(next, [cancelEffect(next)]);
			t.is((await readRun(world, owner, retry.id)).status, 'canceled');
		},
		'a run that a person starts again is none of the chain': async (t, world) => {
			const owner = await addRunningChain(world);
			await world.stores.executions.cancel(owner.user_id, owner.run.id);
			await addRun(world, owner.job, {triggered_by: 'retry', attempt: 2, retry_of: owner.run.id});
			t.deepEqual((await dueOne(world)).run?.id, owner.run.id);
		},
		'one that is over is not due, whatever becomes of its runs': async (t, world) => {
			const owner = await addRunningChain(world, {seconds: 1});
			await end(world, owner.execution, 'canceled');
			await world.stores.executions.cancel(owner.user_id, owner.run.id);
			await world.advance(60);
			t.deepEqual((await world.stores.chainExecutions.due(10)).executions, []);
		},
		'runs of a job that is in no chain make none due': async (t, world) => {
			const owner = await addRunningChain(world);
			const {id} = await addRun(world, await addJob(world, owner));
			await world.stores.executions.cancel(owner.user_id, id);
			t.deepEqual((await world.stores.chainExecutions.due(10)).executions, []);
		},
	},
};
