import type {AgentRecord} from '../../cron/model/agent.ts';
import type {ExecutionRecord, LeasedExecution, NewExecution} from '../../cron/model/execution.ts';
import type {CronJobRecord} from '../../cron/model/job.ts';
import type {CronStores, ExecutionHold, Fired, Firing, Stores} from '../../ports/index.ts';
import {buildAgent, buildCronJob, buildFiring, buildNewExecution} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import type {ContractWorld, Tenant} from './world.ts';

export type CronWorld = ContractWorld<Stores & CronStores>;
export type CronContract = Contract<Stores & CronStores>;

/** More than any case but that of the limit makes. */
export const mostAgents = 20;

/** A job that is due now, unless told otherwise. */
export const addJob = async (
	{stores, now}: CronWorld,
	{user_id, team_id}: Pick<Tenant, 'user_id' | 'team_id'>,
	fields: Partial<CronJobRecord> = {},
): Promise<CronJobRecord> => {
	const job = buildCronJob({user_id, team_id, next_run_at: now(), ...fields});
	await stores.cronJobs.create(job, null);
	return job;
};

export const addAgent = async (
	{stores}: CronWorld,
	{user_id}: Pick<Tenant, 'user_id'>,
	fields: Partial<AgentRecord> = {},
): Promise<AgentRecord> => (await stores.agents.register(buildAgent({user_id, ...fields}), mostAgents)).agent;

/** A tenant with an agent and a job. */
export const addOwner = async (world: CronWorld, fields: Partial<CronJobRecord> = {}) => {
	const owner = await world.addTenant();
	const agent = await addAgent(world, owner);
	return {...owner, agent, job: await addJob(world, owner, fields)};
};

/** A run of the job that is due at once, unless told otherwise. */
export const addRun = ({stores}: CronWorld, job: CronJobRecord, fields: Partial<NewExecution> = {}) =>
	stores.executions.create(job.user_id, buildNewExecution({job_id: job.id, ...fields}));

/** Fires the tick at which the job is due. */
export const fireOne = async (
	{stores}: CronWorld,
	job: CronJobRecord,
	fields: Partial<Omit<Firing, 'execution'>> = {},
): Promise<Fired> => {
	const [fired] = await stores.cronTicks.fire([buildFiring({job, ...fields})]);
	if (fired === undefined) throw new Error('a firing was not answered');
	return fired;
};

export const leaseRuns = (
	{stores}: CronWorld,
	{user_id, id, session_id}: AgentRecord,
	count: number,
): Promise<readonly LeasedExecution[]> =>
	stores.executionLeases.lease({
		user_id,
		agent_id: id,
		session_id: session_id ?? '',
		tokens: Array.from({length: count}, () => `token-${buildId()}`),
		lease_seconds: 60,
	});

export const holdOf = ({execution, lease_token}: LeasedExecution): ExecutionHold => ({
	execution_id: execution.id,
	lease_token,
});

export const leaseRun = async (world: CronWorld, agent: AgentRecord): Promise<ExecutionHold> => {
	const [leased] = await leaseRuns(world, agent, 1);
	if (leased === undefined) throw new Error('nothing is due');
	return holdOf(leased);
};

/** Leases the run that is due, and starts it. */
export const startRun = async (world: CronWorld, agent: AgentRecord): Promise<ExecutionHold> => {
	const hold = await leaseRun(world, agent);
	if (!(await world.stores.executionLeases.start(agent.user_id, hold))) throw new Error('a run did not start');
	return hold;
};

/** A run that its agent has started. */
export const addRunning = async (world: CronWorld) => {
	const owner = await addOwner(world);
	const {id} = await addRun(world, owner.job);
	return {...owner, id, hold: await startRun(world, owner.agent)};
};

export const readRun = async (
	{stores}: CronWorld,
	{user_id}: Pick<Tenant, 'user_id'>,
	id: string,
): Promise<ExecutionRecord> => {
	const execution = await stores.executions.get(user_id, id);
	if (execution === undefined) throw new Error(`execution ${id} is not there`);
	return execution;
};

/** Every run of the user, latest first. */
export const listRuns = async (
	{stores}: CronWorld,
	{user_id}: Pick<Tenant, 'user_id'>,
): Promise<readonly ExecutionRecord[]> =>
	(await stores.executions.list(user_id, {}, {limit: 1000, offset: 0, output_bytes: 100})).data;
