import type {Ports} from '../ports/index.ts';
import type {ExecutionRecord} from './model/execution.ts';

type Announced = Pick<ExecutionRecord, 'id' | 'job_id' | 'user_id' | 'status'>;

/** Tells whoever listens how a run stands, and agents when there is one more to be leased. */
export const announceRun = (
	{signals}: Pick<Ports, 'signals'>,
	{id: execution_id, job_id, user_id, status}: Announced,
): void => {
	signals.publish({type: 'cron.execution', execution_id, job_id, user_id, status});
	if (status === 'pending') signals.publish({type: 'cron.execution.due', user_id});
};
