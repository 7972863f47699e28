import type {Ports} from '../ports/index.ts';
import type {ExecutionRecord} from './model/execution.ts';

export type Announced = Pick<ExecutionRecord, 'id' | 'job_id' | 'user_id' | 'status' | 'triggered_by'>;

/** Whether a chain may wait for its end: retries of a chain's run are its run too. */
const isOfChain = ({triggered_by}: Announced): boolean => triggered_by === 'chain' || triggered_by === 'retry';

/**
 * Tells whoever listens how runs stand, agents when there is more to be leased, and chains when one may go on: both look for all
 * that there is, so that one word does for a user, and one for all chains.
 */
export const announceRuns = ({signals}: Pick<Ports, 'signals'>, runs: readonly Announced[]): void => {
	for (const {id: execution_id, job_id, user_id, status} of runs)
		signals.publish({type: 'cron.execution', execution_id, job_id, user_id, status});
	const pending = runs.filter(({status}) => status === 'pending');
	for (const user_id of new Set(pending.map((run) => run.user_id)))
		signals.publish({type: 'cron.execution.due', user_id});
	const mayMoveChain = (run: Announced) => run.status !== 'pending' && run.status !== 'running' && isOfChain(run);
	if (runs.some(mayMoveChain)) signals.publish({type: 'chain.execution.due'});
};

export const announceRun = (needs: Pick<Ports, 'signals'>, run: Announced): void => announceRuns(needs, [run]);
