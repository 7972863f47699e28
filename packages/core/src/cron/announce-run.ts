import type {Ports} from '../ports/index.ts';
import type {ExecutionRecord} from './model/execution.ts';

type Announced = Pick<ExecutionRecord, 'id' | 'job_id' | 'user_id' | 'status' | 'triggered_by'>;

/** Whether a chain may wait for its end: retries of a chain's run are its run too. */
const isOfChain = ({triggered_by}: Announced): boolean => triggered_by === 'chain' || triggered_by === 'retry';

/** Tells whoever listens how a run stands, agents when there is one more to be leased, and chains when one may go on. */
export const announceRun = ({signals}: Pick<Ports, 'signals'>, run: Announced): void => {
	const {id: execution_id, job_id, user_id, status} = run;
	signals.publish({type: 'cron.execution', execution_id, job_id, user_id, status});
	if (status === 'pending') signals.publish({type: 'cron.execution.due', user_id});
	else if (status !== 'running' && isOfChain(run)) signals.publish({type: 'chain.execution.due'});
};
