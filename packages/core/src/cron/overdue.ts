import type {OverdueExecution, Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {announceRun} from './announce-run.ts';
import {endingOf} from './rules/execution-ending.ts';

/** Runs that no agent will end. */
export type OverdueExecutions = Readonly<{
	/**
	 * Ends up to `limit` runs: `agent_offline` when nobody leased it in time, `agent_lost` when its agent fell silent. What
	 * became of a command is not known then: it is run again only as its job says. @returns how many it ended.
	 */
	giveUp(limit: number): Promise<number>;
}>;

type Needs = Pick<Ports, 'signals' | 'ids' | 'cronJobs' | 'executionLeases'>;

export const createOverdueExecutions = (
	needs: Needs,
	{agent_times: {lost}}: Pick<CoreSettings, 'agent_times'>,
): OverdueExecutions => ({
	giveUp: async (limit) => {
		const overdue = await needs.executionLeases.overdue(lost, limit);
		let count = 0;
		for (const each of overdue) if (await giveUpOne(needs, each, lost)) count += 1;
		return count;
	},
});

const giveUpOne = async (needs: Needs, overdue: OverdueExecution, lost_seconds: number): Promise<boolean> => {
	const {execution, cause: error} = overdue;
	const job = await needs.cronJobs.get(execution.user_id, execution.job_id);
	if (job === undefined) return false;
	const result = {status: 'failed', exit_code: null, duration_ms: null, error, truncated: false} as const;
	const ending = endingOf(execution, job, {result, retry_id: needs.ids.next()});
	const ended = await needs.executionLeases.giveUp(overdue, lost_seconds, ending);
	if (ended) announceRun(needs, {...execution, status: 'failed'});
	return ended;
};
