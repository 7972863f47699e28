import type {Ports} from '../ports/index.ts';
import type {ExecutionRecord} from './model/execution.ts';

/** Tells people how runs ended, where they asked to be told, once no retry follows. */
export type ExecutionNews = Readonly<{
	/** Of up to `limit` runs. Run it about once a second. @returns of how many it told. */
	tell(limit: number): Promise<number>;
}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'notifications' | 'executions'>;

export const createExecutionNews = (needs: Needs): ExecutionNews => ({
	tell: async (limit) => {
		const untold = await needs.executions.untold(limit);
		for (const execution of untold) {
			await tellOf(needs, execution);
			await needs.executions.told(execution.id);
		}
		return untold.length;
	},
});

const reasonOf = ({error}: ExecutionRecord): string => {
	if (error === 'agent_offline') return 'No agent was there to run it in time (agent_offline).';
	if (error === 'agent_lost') return 'Its agent fell silent: what became of the command is not known (agent_lost).';
	return error ?? '';
};

const wordsOf = (execution: ExecutionRecord): Readonly<{title: string; message: string}> => {
	const {job_name, status, attempt} = execution;
	if (status === 'success') return {title: `${job_name} succeeded`, message: `At attempt ${attempt}.`};
	const title = status === 'timeout' ? `${job_name} timed out` : `${job_name} failed`;
	return {title, message: `${reasonOf(execution)} Attempt ${attempt} was the last.`.trim()};
};

const tellOf = async (needs: Needs, execution: ExecutionRecord): Promise<void> => {
	const {id: execution_id, job_id, user_id, status} = execution;
	const notification = {
		...{id: needs.ids.next(), user_id, type: 'cron_failure' as const, ...wordsOf(execution)},
		...{data: {job_id, execution_id, status}, is_read: false, created_at: needs.clock.now()},
	};
	// Told again after a crash in between, it is the same news.
	await needs.notifications.appendUnlessUnread(notification, 'execution_id');
};
