import type {CronJobRecord} from '../../cron/model/job.ts';
import type {ExecutionHold} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import {buildEnding, buildNewExecution} from '../builders/cron.ts';
import {addRunningChain, readChainExecution} from './chain-world.ts';
import {
	addAgent,
	addJob,
	addOwner,
	addRun,
	addRunning,
	type CronContract,
	type CronWorld,
	fireOne,
	holdOf,
	leaseRuns,
	listRuns,
	readRun,
	startRun,
} from './cron-world.ts';
import {idsOf} from './world.ts';

const minute = 60;
const day = 24 * 3600;
const page = {limit: 10, offset: 0};

/** Two jobs of one user, whose tick has been fired. */
const addFiredPair = async (world: CronWorld) => {
	const owner = await addOwner(world, {concurrency: 'allow'});
	const other = await addJob(world, owner, {concurrency: 'allow', next_run_at: owner.job.next_run_at});
	for (const job of [owner.job, other]) await fireOne(world, job, {next_run_at: job.next_run_at});
	return {...owner, other};
};

/** Whether the tick at which the job is due was fired before. */
const isFired = async (world: CronWorld, job: CronJobRecord): Promise<boolean> =>
	(await fireOne(world, job)).outcome === 'lost';

const print = ({stores}: CronWorld, user_id: string, {text, ...hold}: ExecutionHold & Readonly<{text: string}>) =>
	stores.executionLeases.append(
		user_id,
		{...hold, stream: 'stdout', offset: 0, data: new TextEncoder().encode(text)},
		1000,
	);

export const besideJobs: CronContract = {
	subject: 'cron jobs beside others',
	cases: {
		'a change of a job leaves the tags of others, and the runs of others as they wait': async (t, world) => {
			const owner = await addOwner(world, {tags: ['nightly']});
			const other = await addJob(world, owner, {tags: ['nightly']});
			const runs = [await addRun(world, owner.job), await addRun(world, other)];
			const {cronJobs} = world.stores;
			await cronJobs.update(owner.user_id, {...owner.job, name: 'changed', tags: ['weekly']}, 1);
			t.deepEqual(idsOf((await cronJobs.list(owner.user_id, {tag: 'nightly'}, page)).data), [other.id]);
			const names = await Promise.all(runs.map(({id}) => readRun(world, owner, id)));
			t.deepEqual(
				names.map(({job_name}) => job_name),
				['changed', other.name],
			);
		},
		'a deleted job leaves what was fired of others fired, and so does one that somebody else would delete': async (
			t,
			world,
		) => {
			const {user_id, job, other} = await addFiredPair(world);
			const stranger = await world.addTenant();
			t.is(await world.stores.cronJobs.delete(stranger.user_id, other.id), false);
			t.is(await world.stores.cronJobs.delete(user_id, job.id), true);
			t.is(await isFired(world, other), true);
		},
		'a deleted job makes no chain due that waits for another one, nor does one that stays': async (t, world) => {
			const owner = await addRunningChain(world);
			const stranger = await addOwner(world);
			t.is(await world.stores.cronJobs.delete(stranger.user_id, owner.job.id), false);
			const unrelated = await addJob(world, owner);
			await addRun(world, unrelated);
			t.is(await world.stores.cronJobs.delete(owner.user_id, unrelated.id), true);
			t.deepEqual(await readChainExecution(world, owner.execution), owner.execution);
		},
		'a run that takes the place of another one of its job cancels none of another job': async (t, world) => {
			const owner = await addOwner(world, {concurrency: 'replace'});
			const other = await addJob(world, owner, {concurrency: 'replace'});
			const next_run_at = plusSeconds(world.now(), -1);
			for (const job of [owner.job, other]) await fireOne(world, job, {next_run_at});
			const fired = await fireOne(world, {...owner.job, next_run_at});
			t.is('replaced' in fired && fired.replaced.length, 1);
			const statuses = (await listRuns(world, owner)).map(({job_id, status}) => [job_id, status].join(' '));
			const expected = [`${owner.job.id} canceled`, `${owner.job.id} pending`, `${other.id} pending`];
			t.deepEqual(statuses.toSorted(), expected.toSorted());
		},
		'a run that starts is the last one of its own job': async (t, world) => {
			const {user_id, agent, ...owner} = await addOwner(world);
			const other = await addJob(world, {user_id, team_id: owner.team_id});
			await addRun(world, owner.job);
			await startRun(world, agent);
			const lastOf = async ({id}: CronJobRecord) => (await world.stores.cronJobs.get(user_id, id))?.last_run_at;
			t.is(typeof (await lastOf(owner.job)), 'string');
			t.is(await lastOf(other), null);
		},
		'one that is given up leaves others that are overdue, which are given up by themselves': async (t, world) => {
			for (let running = 0; running < 2; running += 1) await addRunning(world);
			await world.advance(10 * minute);
			const overdue = await world.stores.executionLeases.overdue(minute, 10);
			t.is(overdue.length, 2);
			const ending = buildEnding({result: {status: 'failed'}});
			for (const each of overdue) t.is(await world.stores.executionLeases.giveUp(each, minute, ending), true);
		},
		'the retry of a run that is in no chain is in none, whatever chains run': async (t, world) => {
			const chained = await addRunningChain(world);
			const owner = await addRunning(world);
			const again = {triggered_by: 'retry', attempt: 2, retry_of: owner.id} as const;
			const retry = buildNewExecution({job_id: owner.job.id, ...again});
			const ending = buildEnding({result: {status: 'failed'}, retry});
			t.is(await world.stores.executionLeases.finish(owner.user_id, owner.hold, ending), true);
			const [leased] = await leaseRuns(world, owner.agent, 1);
			t.deepEqual([leased?.execution.id, leased?.step], [retry.id, null]);
			t.deepEqual(await readChainExecution(world, chained.execution), chained.execution);
		},
		'what an agent holds takes no room of another one, and a lease that ran out takes none': async (t, world) => {
			const {user_id, team_id} = await addOwner(world);
			const [one, other] = [
				await addAgent(world, {user_id}, {capacity: 1}),
				await addAgent(world, {user_id}, {capacity: 1}),
			];
			for (const {id: agent_id} of [one, one, other])
				await addRun(world, await addJob(world, {user_id, team_id}, {agent_id}));
			t.is((await leaseRuns(world, one, 5)).length, 1);
			t.is((await leaseRuns(world, other, 5)).length, 1);
			t.is((await leaseRuns(world, one, 5)).length, 0);
			await world.advance(2 * minute);
			t.is((await leaseRuns(world, one, 5)).length, 1);
		},
		'each run has its own output, alone and in a list, whatever others printed': async (t, world) => {
			const {job, agent, ...owner} = await addOwner(world);
			for (let made = 0; made < 3; made += 1) await addRun(world, job);
			const holds = (await leaseRuns(world, agent, 3)).map(holdOf);
			for (const [index, hold] of holds.entries()) {
				await world.stores.executionLeases.start(owner.user_id, hold);
				await print(world, owner.user_id, {...hold, text: 'abcdefgh'.slice(0, 4 + index)});
			}
			const printed = (id: string) => 'abcdefgh'.slice(0, 4 + holds.findIndex(({execution_id}) => execution_id === id));
			for (const {execution_id: id} of holds) t.is((await readRun(world, owner, id)).output, printed(id));
			for (let output_bytes = 4; output_bytes < 12; output_bytes += 1) {
				const {data} = await world.stores.executions.list(owner.user_id, {}, {...page, output_bytes});
				for (const {id, output} of data) t.is(output, printed(id).slice(-output_bytes), `${output_bytes} bytes`);
			}
		},
		'what was fired is forgotten by the plan of its own user, and no younger tick is': async (t, world) => {
			const retention = {days_by_plan: new Map([['short', 7]]), otherwise: 30};
			const [short, long] = [await addFiredPair(world), await addFiredPair(world)];
			await world.stores.users.update(short.user_id, {plan: 'short'}, world.now());
			await world.advance(8 * day);
			const next_run_at = plusSeconds(world.now(), -minute);
			for (const {job} of [short, long]) {
				await fireOne(world, job, {scheduled_for: plusSeconds(next_run_at, -minute), next_run_at});
				await fireOne(world, {...job, next_run_at}, {next_run_at});
			}
			t.is(await world.stores.executions.purge(retention, 10), 2);
			for (const {job} of [short, long]) t.is(await isFired(world, {...job, next_run_at}), true);
			t.is(await isFired(world, long.other), true);
			t.is((await listRuns(world, long)).length, 4);
			t.is(await isFired(world, short.other), false);
		},
	},
};
