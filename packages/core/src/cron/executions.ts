import {createAuditTrail} from '../audit-trail.ts';
import {DomainError} from '../errors.ts';
import {checkedPage, checkedSpan} from '../list-request.ts';
import type {ExecutionFilter, Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Page, PageRequest} from '../values/page.ts';
import {announceRun} from './announce-run.ts';
import type {Execution, ExecutionRecord} from './model/execution.ts';
import {startWithin} from './rules/execution-ending.ts';
import {executionViewOf} from './rules/execution-view.ts';

/** Runs of the caller's jobs. */
export type Executions = Readonly<{
	/** Latest first by `scheduled_for`; of each output the last 4 KiB. */
	list(caller: Caller, filter: ExecutionFilter, page: PageRequest): Promise<Page<Execution>>;
	/** With all of its output that was kept. */
	get(caller: Caller, id: string): Promise<Execution>;
	/** The command is killed, or never runs. @throws conflict when it has ended. */
	cancel(caller: Caller, id: string): Promise<Execution>;
	/** Runs the same job again, as it is now. @returns the new execution. @throws conflict when it has not ended. */
	retry(caller: Caller, id: string): Promise<Execution>;
}>;

type Needs = Pick<Ports, 'audit' | 'signals' | 'clock' | 'ids' | 'executions'>;

const shownBytes = 4096;

export const createExecutions = (needs: Needs): Executions => {
	const {executions} = needs;
	const find = async ({user_id}: Caller, id: string): Promise<ExecutionRecord> => {
		const execution = await executions.get(user_id, id);
		if (execution === undefined) throw new DomainError('resource_not_found');
		return execution;
	};
	return {
		list: async ({user_id}, filter, page) => {
			const {data, ...bounds} = await executions.list(user_id, checkedSpan(filter), {
				...checkedPage(page),
				output_bytes: shownBytes,
			});
			return {...bounds, data: data.map(executionViewOf)};
		},
		get: async (caller, id) => executionViewOf(await find(caller, id)),
		cancel: createCancel(needs),
		retry: createRetry(needs, find),
	};
};

const createCancel = (needs: Needs): Executions['cancel'] => {
	const record = createAuditTrail(needs);
	return async (caller, id) => {
		const answer = await needs.executions.cancel(caller.user_id, id);
		if (answer === undefined) throw new DomainError('resource_not_found');
		const {outcome, execution} = answer;
		if (outcome === 'final')
			throw new DomainError('conflict', {message: `The execution has ended (${execution.status}).`});
		// Its agent may hear of it at once: before the record of it is written.
		announceRun(needs, execution);
		const {job_id} = execution;
		await record(caller, {action: 'cron_execution.canceled', target_id: id, data: {job_id}});
		return executionViewOf(execution);
	};
};

const createRetry = (
	needs: Needs,
	find: (caller: Caller, id: string) => Promise<ExecutionRecord>,
): Executions['retry'] => {
	const record = createAuditTrail(needs);
	return async (caller, id) => {
		const {status, job_id, attempt} = await find(caller, id);
		if (status === 'pending' || status === 'running')
			throw new DomainError('conflict', {message: `The execution is ${status}: only one that has ended is retried.`});
		const execution = await needs.executions.create(caller.user_id, {
			...{id: needs.ids.next(), job_id, triggered_by: 'retry', attempt: attempt + 1, retry_of: id},
			...{after_seconds: 0, start_within_seconds: startWithin},
		});
		announceRun(needs, execution);
		const data = {job_id, execution_id: execution.id};
		await record(caller, {action: 'cron_execution.retried', target_id: id, data});
		return executionViewOf(execution);
	};
};
