import type {ChainRecord} from '../../cron/model/chain.ts';
import type {ChainEffect, ChainExecutionRecord, StepExecution} from '../../cron/model/chain-execution.ts';
import type {CronJobRecord} from '../../cron/model/job.ts';
import type {Advanced, DueChainExecution} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import {buildChain, buildChainStep, buildNewChainExecution} from '../builders/chains.ts';
import {buildId} from '../builders/identity.ts';
import {addOwner, type CronWorld} from './cron-world.ts';
import type {Tenant} from './world.ts';

/** A tenant with an agent, a job, and a chain of two steps that both run it. */
export const addChainOwner = async (world: CronWorld, fields: Partial<ChainRecord> = {}) => {
	const owner = await addOwner(world, {next_run_at: null});
	return {...owner, chain: await addChain(world, owner, fields)};
};

export const addChain = async (
	{stores}: CronWorld,
	{user_id, job}: Pick<Tenant, 'user_id'> & Readonly<{job: CronJobRecord}>,
	fields: Partial<ChainRecord> = {},
): Promise<ChainRecord> => {
	const step = {cron_job_id: job.id, job_name: job.name};
	const steps = [buildChainStep(step), buildChainStep({...step, step_order: 1, condition_type: 'always'})];
	const chain = buildChain({user_id, steps, ...fields});
	await stores.chains.create(chain);
	return chain;
};

export const startChain = (
	{stores}: CronWorld,
	{user_id, id: chain_id}: ChainRecord,
	fields: Partial<Parameters<typeof buildNewChainExecution>[0]> = {},
): Promise<ChainExecutionRecord> =>
	stores.chainExecutions.create(user_id, buildNewChainExecution({...fields, chain_id}));

const stepOf = ({steps}: ChainExecutionRecord, order: number): StepExecution => {
	const step = steps[order];
	if (step === undefined) throw new Error(`there is no step ${order}`);
	return step;
};

/** The execution with that step running, and what makes it so. */
export const startingStep = (
	{now}: CronWorld,
	execution: ChainExecutionRecord,
	{order = 0, seconds = 600}: Readonly<{order?: number; seconds?: number}> = {},
): readonly [ChainExecutionRecord, ChainEffect] => {
	const {cron_job_id: job_id} = stepOf(execution, order);
	const [execution_id, deadline_at] = [buildId(), plusSeconds(now(), seconds)];
	const running = {status: 'running', execution_id, started_at: now()} as const;
	const steps = execution.steps.map((step) => (step.step_order === order ? {...step, ...running} : step));
	const start = {type: 'start_run', id: `${execution.id}/${order}/start`, start_within_seconds: 600} as const;
	return [
		{...execution, steps, current_step: order, due_at: deadline_at},
		{...start, execution_id, job_id, step_order: order, deadline_at},
	];
};

/** Starts the step. @returns the execution as it is stored then, and its run. */
export const startStep = async (
	world: CronWorld,
	execution: ChainExecutionRecord,
	options: Readonly<{order?: number; seconds?: number}> = {},
) => {
	const [next, start] = startingStep(world, execution, options);
	const advanced = await world.stores.chainExecutions.advance(next, [start]);
	const [run] = advanced?.started ?? [];
	if (run === undefined) throw new Error('a step did not start');
	return {execution: {...next, version: next.version + 1}, run};
};

/** A tenant with an execution whose first step runs. */
export const addRunningChain = async (world: CronWorld, options: Readonly<{seconds?: number}> = {}) => {
	const owner = await addChainOwner(world);
	return {...owner, ...(await startStep(world, await startChain(world, owner.chain), options))};
};

/** The execution as it is when it is over. */
export const ended = (
	{now}: CronWorld,
	execution: ChainExecutionRecord,
	status: 'completed' | 'failed' | 'canceled',
): ChainExecutionRecord => ({...execution, status, current_step: null, due_at: null, completed_at: now()});

export const end = (
	world: CronWorld,
	execution: ChainExecutionRecord,
	status: 'completed' | 'failed' | 'canceled',
): Promise<Advanced | undefined> => {
	const effects: readonly ChainEffect[] = status === 'failed' ? [{type: 'tell', id: `${execution.id}/tell`}] : [];
	return world.stores.chainExecutions.advance(ended(world, execution, status), effects);
};

export const cancelEffect = ({id}: ChainExecutionRecord, step_order = 0): ChainEffect => ({
	type: 'cancel_runs',
	id: `${id}/${step_order}/cancel`,
	step_order,
});

/** The one execution that is due. */
export const dueOne = async ({stores}: CronWorld): Promise<DueChainExecution> => {
	const {executions} = await stores.chainExecutions.due(10);
	const [due] = executions;
	if (due === undefined || executions.length > 1) throw new Error(`${executions.length} executions are due`);
	return due;
};

export const readChainExecution = async (
	{stores}: CronWorld,
	{user_id, id}: Pick<ChainExecutionRecord, 'user_id' | 'id'>,
): Promise<ChainExecutionRecord> => {
	const execution = await stores.chainExecutions.get(user_id, id);
	if (execution === undefined) throw new Error(`chain execution ${id} is not there`);
	return execution;
};
