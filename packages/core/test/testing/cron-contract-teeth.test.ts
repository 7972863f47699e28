import test from 'ava';
import {agentsAreFull} from '../../src/errors.ts';
import type {ExecutionRow} from '../../src/memory/cron/tables.ts';
import {compositeKey, type MemoryDatabase} from '../../src/memory/database.ts';
import {type Fault, failedCases} from './support/failed-cases.ts';

/** Lets others in between a check and its write. */
const interrupted = () => Promise.resolve();

type SeededFault = Readonly<{fault: string; subject: string; caughtBy: string; seed: Fault}>;

const changeRun = (db: MemoryDatabase, id: string, change: Partial<ExecutionRow>) => {
	const row = db.executions.get(id);
	if (row !== undefined) db.executions.set(id, {...row, ...change});
};

const jobFaults: readonly SeededFault[] = [
	{
		fault: 'a plan limit that is checked before the write',
		subject: 'cron jobs',
		caughtBy: 'also under parallel calls',
		seed: (stores, db) => ({
			cronJobs: {
				create: async (job, limit) => {
					const owned = [...db.cronJobs.values()].filter(({user_id}) => user_id === job.user_id).length;
					await interrupted();
					return stores.cronJobs.create(job, limit !== null && owned >= limit ? 0 : null);
				},
			},
		}),
	},
	{
		fault: 'a change that writes what a run wrote meanwhile',
		subject: 'cron jobs',
		caughtBy: 'leaves when it last ran',
		seed: (stores, db) => ({
			cronJobs: {
				update: async (user_id, job, version) => {
					const changed = await stores.cronJobs.update(user_id, job, version);
					if (changed) db.cronJobs.set(job.id, {...changed, last_run_at: job.last_run_at});
					return changed;
				},
			},
		}),
	},
	{
		fault: 'a deleted job that leaves its runs behind',
		subject: 'cron jobs',
		caughtBy: 'takes its runs along',
		seed: (_stores, db) => ({cronJobs: {delete: async (_user_id, id) => db.cronJobs.delete(id)}}),
	},
];

const tickFaults: readonly SeededFault[] = [
	{
		fault: 'a tick that is compared before the write',
		subject: 'cron ticks',
		caughtBy: 'of 200 parallel firings',
		seed: (stores, db) => ({
			cronTicks: {
				fire: async (firings) => {
					const before = firings.map(({job_id}) => db.cronJobs.get(job_id));
					await interrupted();
					for (const job of before) {
						if (job === undefined) continue;
						db.cronJobs.set(job.id, job);
						db.occurrences.delete(compositeKey(job.id, job.next_run_at ?? ''));
					}
					return stores.cronTicks.fire(firings);
				},
			},
		}),
	},
	{
		fault: 'no ledger of ticks',
		subject: 'cron ticks',
		caughtBy: 'a tick that has been fired makes no second run',
		seed: (stores, db) => ({
			cronTicks: {
				fire: async (firings) => {
					db.occurrences.clear();
					return stores.cronTicks.fire(firings);
				},
			},
		}),
	},
	{
		fault: 'pages that are counted, while those before are fired',
		subject: 'due cron jobs',
		caughtBy: 'they are read by pages',
		seed: (stores) => {
			let passed = 0;
			return {
				cronTicks: {
					due: async (limit, before) => {
						const {now, jobs} = await stores.cronTicks.due(1000);
						if (before !== undefined) passed += 1;
						return {now, jobs: jobs.slice(passed, passed + limit)};
					},
				},
			};
		},
	},
	{
		fault: 'manual runs that hold ticks up',
		subject: 'cron concurrency',
		caughtBy: 'manual, retry and chain runs hold no tick up',
		seed: (stores, db) => ({
			cronTicks: {
				fire: async (firings) => {
					for (const row of db.executions.values()) changeRun(db, row.id, {triggered_by: 'scheduled'});
					return stores.cronTicks.fire(firings);
				},
			},
		}),
	},
];

const leaseFaults: readonly SeededFault[] = [
	{
		fault: 'a lease that is looked up before the write',
		subject: 'execution leases',
		caughtBy: 'also among 50 parallel callers',
		seed: (stores, db) => ({
			executionLeases: {
				lease: async (request) => {
					const before = new Map(db.executions);
					await interrupted();
					for (const [id, row] of before) db.executions.set(id, row);
					return stores.executionLeases.lease(request);
				},
			},
		}),
	},
	{
		fault: 'a capacity that counts nothing',
		subject: 'execution leases',
		caughtBy: 'than the agent has capacity',
		seed: (stores, db) => ({
			executionLeases: {
				lease: async (request) => {
					const agent = db.agents.get(request.agent_id);
					if (agent) db.agents.set(agent.id, {...agent, capacity: 1000});
					return stores.executionLeases.lease(request);
				},
			},
		}),
	},
	{
		fault: 'a start that any token opens',
		subject: 'execution start',
		caughtBy: 'nobody starts it with another token',
		seed: (stores, db) => ({
			executionLeases: {
				start: async (user_id, {execution_id}) => {
					const lease_token = db.executions.get(execution_id)?.hold?.token ?? '';
					return stores.executionLeases.start(user_id, {execution_id, lease_token});
				},
			},
		}),
	},
	{
		fault: 'a start that forgets the user',
		subject: 'execution start',
		caughtBy: 'for another user',
		seed: (stores, db) => ({
			executionLeases: {
				start: async (_user_id, hold) =>
					stores.executionLeases.start(db.executions.get(hold.execution_id)?.user_id ?? '', hold),
			},
		}),
	},
	{
		fault: 'a started run that is offered again when its lease has run out',
		subject: 'execution start',
		caughtBy: 'a started run is offered to nobody',
		seed: (stores, db) => ({
			executionLeases: {
				lease: async (request) => {
					for (const row of db.executions.values())
						if (row.status === 'running') changeRun(db, row.id, {status: 'pending', start_deadline_at: '9'});
					return stores.executionLeases.lease(request);
				},
			},
		}),
	},
];

const endingFaults: readonly SeededFault[] = [
	{
		fault: 'output that is added twice',
		subject: 'output of executions',
		caughtBy: 'what is there is not added twice',
		seed: (stores, db) => ({
			executionLeases: {
				append: async (user_id, chunk, most) => {
					const offset = db.executions.get(chunk.execution_id)?.output_end ?? 0;
					return stores.executionLeases.append(user_id, {...chunk, offset}, most);
				},
			},
		}),
	},
	{
		fault: 'a report that ends what was canceled',
		subject: 'canceled executions',
		caughtBy: 'what its agent says later changes nothing',
		seed: (stores, db) => ({
			executionLeases: {
				finish: async (user_id, hold, ending) => {
					if (db.executions.get(hold.execution_id)?.status === 'canceled')
						changeRun(db, hold.execution_id, {status: 'running'});
					return stores.executionLeases.finish(user_id, hold, ending);
				},
			},
		}),
	},
	{
		fault: 'a retry of its own for each time that a report comes',
		subject: 'execution end',
		caughtBy: 'a retry comes with it, once',
		seed: (stores) => ({
			executionLeases: {
				finish: async (user_id, hold, ending) => {
					const ended = await stores.executionLeases.finish(user_id, hold, {...ending, retry: null});
					if (ended && ending.retry) await stores.executions.create(user_id, ending.retry);
					return ended;
				},
			},
		}),
	},
	{
		fault: 'an end of what was heard of meanwhile',
		subject: 'overdue executions',
		caughtBy: 'is not given up',
		seed: (stores) => ({
			executionLeases: {giveUp: async (overdue, _lost, ending) => stores.executionLeases.giveUp(overdue, 0, ending)},
		}),
	},
];

const agentFaults: readonly SeededFault[] = [
	{
		fault: 'a first agent that is looked up before the write',
		subject: 'default agents',
		caughtBy: 'also of parallel ones',
		seed: (stores, db) => ({
			agents: {
				register: async (agent, most) => {
					const isFirst = ![...db.agents.values()].some(({user_id}) => user_id === agent.user_id);
					await interrupted();
					const state = await stores.agents.register(agent, most);
					const made = {...state.agent, is_default: isFirst};
					db.agents.set(agent.id, made);
					return {...state, agent: made};
				},
			},
		}),
	},
	{
		fault: 'agents that are counted before the write',
		subject: 'agents',
		caughtBy: 'the limit counts the agents of the user',
		seed: (stores, db) => ({
			agents: {
				register: async (agent, most) => {
					const others = [...db.agents.values()].filter(({user_id}) => user_id === agent.user_id).length;
					await interrupted();
					return stores.agents.register(agent, others >= most && !db.agents.has(agent.id) ? 0 : Infinity);
				},
			},
		}),
	},
	{
		fault: 'a known agent that counts as a new one',
		subject: 'agents',
		caughtBy: 'keeps no known one out',
		seed: (stores, db) => ({
			agents: {
				register: async (agent, most) => {
					const others = [...db.agents.values()].filter(({user_id}) => user_id === agent.user_id).length;
					if (others >= most) throw agentsAreFull(most);
					return stores.agents.register(agent, most);
				},
			},
		}),
	},
	{
		fault: 'a heartbeat of any session',
		subject: 'agents',
		caughtBy: 'is told apart by its session',
		seed: (stores, db) => ({
			agents: {
				heartbeat: async (beat) =>
					stores.agents.heartbeat({...beat, session_id: db.agents.get(beat.agent_id)?.session_id ?? ''}),
			},
		}),
	},
	{
		fault: 'a deleted agent whose pending runs wait for it for ever',
		subject: 'default agents',
		caughtBy: 'leaves its jobs and pending runs to the default one',
		seed: (stores, db) => ({
			agents: {
				delete: async (user_id, id) => {
					const runs = [...db.executions.values()];
					const deleted = await stores.agents.delete(user_id, id);
					for (const row of runs) db.executions.set(row.id, row);
					return deleted;
				},
			},
		}),
	},
];

for (const {fault, subject, caughtBy, seed} of [
	...jobFaults,
	...tickFaults,
	...leaseFaults,
	...endingFaults,
	...agentFaults,
]) {
	test(`the contract catches ${fault}`, async (t) => {
		const failed = await failedCases(subject, seed);
		t.true(
			failed.some((title) => title.includes(caughtBy)),
			`not caught by "${caughtBy}", only by: ${failed.join('; ')}`,
		);
	});
}
