import type {Ports} from '../ports/index.ts';
import type {ChainExecutionRecord} from './model/chain-execution.ts';
import {toldSince} from './rules/told-since.ts';

/** Tells people which of their chains failed. */
export type ChainNews = Readonly<{
	/** Of up to `limit` executions. Run it about once a second. @returns of how many it told. */
	tell(limit: number): Promise<number>;
}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'notifications' | 'chainExecutions'>;

export const createChainNews = (needs: Needs): ChainNews => ({
	tell: async (limit) => {
		const untold = await needs.chainExecutions.untold(limit);
		for (const execution of untold) {
			await tellOf(needs, execution);
			await needs.chainExecutions.told(execution.id);
		}
		return untold.length;
	},
});

/** The first step that did not succeed, in words. */
const wordsOf = ({steps}: ChainExecutionRecord): string => {
	const failed = steps.find(({status}) => ['failed', 'timeout', 'canceled'].includes(status));
	if (failed === undefined) return '';
	const {step_order, job_name, status, error} = failed;
	const how = {failed: 'failed', timeout: 'took too long', canceled: 'was canceled'}[status as 'failed'];
	return `Step ${step_order} (${job_name}) ${how}. ${error ?? ''}`.trim();
};

const tellOf = async (needs: Needs, execution: ChainExecutionRecord): Promise<void> => {
	const {id: chain_execution_id, chain_id, chain_name, user_id, status} = execution;
	const notification = {
		...{id: needs.ids.next(), user_id, type: 'chain_failure' as const},
		...{title: `${chain_name} failed`, message: wordsOf(execution)},
		...{data: {chain_id, chain_execution_id, status}, is_read: false, created_at: needs.clock.now()},
	};
	// Told again after a crash in between, it is the same news.
	await needs.notifications.appendUnlessUnread(notification, 'chain_execution_id', toldSince(execution));
};
