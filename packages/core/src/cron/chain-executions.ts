import {createAuditTrail} from '../audit-trail.ts';
import {DomainError} from '../errors.ts';
import {checkedPage} from '../list-request.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Page, PageRequest} from '../values/page.ts';
import {makeTransition} from './chain-progress.ts';
import type {ChainExecution, ChainExecutionRecord} from './model/chain-execution.ts';
import {chainExecutionViewOf} from './rules/chain-view.ts';

/** Runs of the caller's chains. */
export type ChainExecutions = Readonly<{
	/** Newest first. */
	list(caller: Caller, chain_id: string, page: PageRequest): Promise<Page<ChainExecution>>;
	get(caller: Caller, id: string): Promise<ChainExecution>;
	/** At once: what runs is killed, and no other step starts. @throws conflict when it is over. */
	cancel(caller: Caller, id: string): Promise<ChainExecution>;
}>;

type Needs = Pick<Ports, 'audit' | 'signals' | 'clock' | 'ids' | 'cronTicks' | 'chainExecutions'>;

/** Steps that end meanwhile are first, each time: there are not so many. */
const mostAttempts = 200;

export const createChainExecutions = (needs: Needs): ChainExecutions => {
	const find = async ({user_id}: Caller, id: string): Promise<ChainExecutionRecord> => {
		const execution = await needs.chainExecutions.get(user_id, id);
		if (execution === undefined) throw new DomainError('resource_not_found');
		return execution;
	};
	return {
		list: async ({user_id}, chain_id, page) => {
			const found = await needs.chainExecutions.list(user_id, chain_id, checkedPage(page));
			if (found === undefined) throw new DomainError('resource_not_found');
			return {...found, data: found.data.map(chainExecutionViewOf)};
		},
		get: async (caller, id) => chainExecutionViewOf(await find(caller, id)),
		cancel: createCancel(needs, find),
	};
};

const createCancel = (
	needs: Needs,
	find: (caller: Caller, id: string) => Promise<ChainExecutionRecord>,
): ChainExecutions['cancel'] => {
	const record = createAuditTrail(needs);
	return async (caller, id) => {
		const event = {type: 'cancel', user_id: caller.user_id} as const;
		for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
			const execution = await find(caller, id);
			if (execution.status !== 'running')
				throw new DomainError('conflict', {message: `The execution is over (${execution.status}).`});
			const canceled = await makeTransition(needs, {execution, event, now: await needs.cronTicks.now()});
			if (canceled === undefined) continue;
			const data = {chain_id: canceled.chain_id};
			await record(caller, {action: 'chain_execution.canceled', target_id: id, data});
			return chainExecutionViewOf(canceled);
		}
		throw new DomainError('service_unavailable');
	};
};
