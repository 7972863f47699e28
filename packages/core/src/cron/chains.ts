import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {ErrorDetail} from '../values/error-detail.ts';
import type {Instant} from '../values/instant.ts';
import type {ReadSettings} from '../values/read-settings.ts';
import {announceChain} from './announce-chain.ts';
import {announceRun} from './announce-run.ts';
import {makeTransition} from './chain-progress.ts';
import type {Chain, ChainRecord, ChainStep, NamedChainStep, TriggerType} from './model/chain.ts';
import type {ChainExecution} from './model/chain-execution.ts';
import type {ChainSettings} from './model/chain-settings.ts';
import {
	auditedChainChange,
	type ChainFields,
	chainScheduleOf,
	defaultChainFields,
	missingTrigger,
	type ReadChain,
	readChainSettings,
} from './rules/chain-settings.ts';
import {chainExecutionViewOf, chainViewOf} from './rules/chain-view.ts';
import {nextRun} from './rules/next-run.ts';
import {nextRunAfterChange} from './rules/next-run-after-change.ts';

/** Cron chains of the caller. */
export type Chains = Readonly<{
	/** @throws validation_error. */
	create(
		caller: Caller,
		request: ChainSettings &
			Readonly<{name: string; trigger_type: TriggerType; steps: NonNullable<ChainSettings['steps']>}>,
	): Promise<Chain>;
	/** All of them, newest first. */
	list(caller: Caller): Promise<readonly Chain[]>;
	get(caller: Caller, id: string): Promise<Chain>;
	/** Steps, when given, take the place of all. */
	update(caller: Caller, id: string, request: ChainSettings): Promise<Chain>;
	/** With its steps and executions; what runs of it is canceled. */
	delete(caller: Caller, id: string): Promise<void>;
	/** Starts it now, enabled or not, and whatever of it runs already. */
	run(caller: Caller, id: string): Promise<ChainExecution>;
}>;

type Needs = Pick<
	Ports,
	'audit' | 'signals' | 'clock' | 'ids' | 'cronJobs' | 'cronTicks' | 'endpoints' | 'chains' | 'chainExecutions'
>;

export const createChains = (needs: Needs): Chains => {
	const record = createAuditTrail(needs);
	const find = createFind(needs);
	return {
		create: async (caller, request) => {
			const read = orRefuse(readChainSettings(request, ['name', 'trigger_type', 'steps']));
			const chain = await newChain(needs, caller, read);
			await needs.chains.create(chain);
			const {id: target_id, name, trigger_type} = chain;
			await record(caller, {action: 'cron_chain.created', target_id, data: {name, trigger_type}});
			return chainViewOf(chain);
		},
		list: async ({user_id}) => (await needs.chains.list(user_id)).map(chainViewOf),
		get: async (caller, id) => chainViewOf(await find(caller, id)),
		update: createUpdate(needs),
		delete: createDelete(needs),
		run: createRun(needs),
	};
};

const createFind =
	({chains}: Needs) =>
	async ({user_id}: Caller, id: string): Promise<ChainRecord> => {
		const chain = await chains.get(user_id, id);
		if (chain === undefined) throw new DomainError('resource_not_found');
		return chain;
	};

const orRefuse = <T>(read: ReadSettings<T>): T => {
	if (read.ok) return read.value;
	throw invalidFields(read.details);
};

/** The steps, in their order, with the names of their jobs. @throws validation_error naming each step whose job is not the caller's. */
const nameSteps = async (
	{cronJobs}: Needs,
	{user_id}: Caller,
	steps: readonly ChainStep[],
): Promise<readonly NamedChainStep[]> => {
	const ids = [...new Set(steps.map(({cron_job_id}) => cron_job_id))];
	const jobs = await Promise.all(ids.map((id) => cronJobs.get(user_id, id)));
	const names = new Map(jobs.flatMap((job) => (job === undefined ? [] : [[job.id, job.name] as const])));
	const details: ErrorDetail[] = steps.flatMap(({cron_job_id}, index) =>
		names.has(cron_job_id) ? [] : [{path: `steps.${index}.cron_job_id`, message: 'is not one of your cron jobs'}],
	);
	if (details.length > 0) throw invalidFields(details);
	return steps
		.map((step) => ({...step, job_name: names.get(step.cron_job_id) ?? ''}))
		.sort((a, b) => a.step_order - b.step_order);
};

/** What no schema can tell of a request. @param asked what it sets. */
const requireTrigger = async (
	{endpoints}: Needs,
	{team_ids}: Caller,
	[chain, asked]: readonly [ChainFields, Partial<ChainFields>],
): Promise<void> => {
	const missing = missingTrigger(chain, asked);
	if (missing !== undefined) throw invalidFields([missing]);
	const endpoint_id = asked.trigger_endpoint_id ?? null;
	if (endpoint_id !== null && (await endpoints.get(team_ids, endpoint_id)) === undefined)
		throw invalidFields([{path: 'trigger_endpoint_id', message: 'is not one of your webhook endpoints'}]);
};

const nextRunOf = async ({cronTicks}: Needs, chain: ChainFields): Promise<Instant | null> => {
	const schedule = chainScheduleOf(chain);
	return schedule === undefined ? null : nextRun(schedule, await cronTicks.now());
};

const newChain = async (needs: Needs, caller: Caller, {fields: asked, steps}: ReadChain): Promise<ChainRecord> => {
	const fields = {...defaultChainFields, name: '', trigger_type: 'manual' as const, ...asked};
	await requireTrigger(needs, caller, [fields, asked]);
	const now = needs.clock.now();
	return {
		...fields,
		id: needs.ids.next(),
		user_id: caller.user_id,
		steps: await nameSteps(needs, caller, steps ?? []),
		next_run_at: await nextRunOf(needs, fields),
		created_at: now,
		updated_at: now,
		version: 1,
	};
};

const isRescheduled = (before: ChainFields, after: ChainFields): boolean =>
	JSON.stringify(chainScheduleOf(before)) !== JSON.stringify(chainScheduleOf(after));

/** Writes what the request makes of the chain; when somebody else was faster, once more from what they left. */
const createUpdate = (needs: Needs): Chains['update'] => {
	const find = createFind(needs);
	const record = createAuditTrail(needs);
	return async (caller, id, request) => {
		const {fields, steps} = orRefuse(readChainSettings(request));
		for (let attempt = 0; attempt < 5; attempt += 1) {
			const before = await find(caller, id);
			const wanted = {...before, ...fields, updated_at: needs.clock.now()};
			await requireTrigger(needs, caller, [wanted, fields]);
			const named = steps === undefined ? before.steps : await nameSteps(needs, caller, steps);
			const planned = await nextRunOf(needs, wanted);
			const next_run_at = nextRunAfterChange(isRescheduled(before, wanted), before.next_run_at, planned);
			const after = await needs.chains.update(caller.user_id, {...wanted, steps: named, next_run_at}, before.version);
			if (after === undefined) continue;
			await record(caller, {action: 'cron_chain.updated', target_id: id, data: auditedChainChange(before, after)});
			return chainViewOf(after);
		}
		throw new DomainError('conflict', {message: 'The chain is being changed by others: try again.'});
	};
};

const createDelete = (needs: Needs): Chains['delete'] => {
	const find = createFind(needs);
	const record = createAuditTrail(needs);
	return async (caller, id) => {
		const {name} = await find(caller, id);
		const deleted = await needs.chains.delete(caller.user_id, id);
		if (deleted === undefined) throw new DomainError('resource_not_found');
		for (const run of deleted.runs) announceRun(needs, run);
		for (const execution of deleted.executions)
			announceChain(needs, {...execution, status: 'canceled', current_step: null});
		await record(caller, {action: 'cron_chain.deleted', target_id: id, data: {name}});
	};
};

const createRun = (needs: Needs): Chains['run'] => {
	const record = createAuditTrail(needs);
	return async (caller, chain_id) => {
		const started = {id: needs.ids.next(), chain_id, triggered_by: 'manual', trigger_event_id: null} as const;
		const execution = await needs.chainExecutions.create(caller.user_id, started);
		const data = {chain_execution_id: execution.id};
		const event = {type: 'begin', run_id: needs.ids.next()} as const;
		const begun = await makeTransition(needs, {execution, event, now: execution.started_at});
		await record(caller, {action: 'cron_chain.run', target_id: chain_id, data});
		return chainExecutionViewOf(begun ?? (await needs.chainExecutions.get(caller.user_id, execution.id)) ?? execution);
	};
};
