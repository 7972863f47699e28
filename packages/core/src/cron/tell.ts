import type {Notification} from '../live/model/notification.ts';
import type {Ports} from '../ports/index.ts';
import type {Notices} from '../webhook/notices.ts';
import type {ExecutionRecord} from './model/execution.ts';
import {toldSince} from './rules/told-since.ts';

/** Tells people how runs ended, where they asked to be told, once no retry follows. */
export type ExecutionNews = Readonly<{
	/** Of up to `limit` runs. Run it about once a second. @returns of how many it told. */
	tell(limit: number): Promise<number>;
}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'notifications' | 'executions' | 'cronJobs'> &
	Readonly<{
		/** Tells at an address of the user; told again under the same id, it is the same. */
		sendNotice: Notices['send'];
	}>;

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
	const type: Notification['type'] = status === 'success' ? 'system' : 'cron_failure';
	const notification = {
		...{id: needs.ids.next(), user_id, type, ...wordsOf(execution)},
		...{data: {job_id, execution_id, status}, is_read: false, created_at: needs.clock.now()},
	};
	// Told again after a crash in between, it is the same news.
	await needs.notifications.appendUnlessUnread(notification, 'execution_id', toldSince(execution));
	await sendNotice(needs, execution);
};

/** As the job says by now; one that is gone has nobody to tell. */
const sendNotice = async (needs: Needs, execution: ExecutionRecord): Promise<void> => {
	const {id, job_id, job_name: name, user_id, status, completed_at} = execution;
	const config = (await needs.cronJobs.get(user_id, job_id))?.notification_config;
	const notice = status === 'success' ? config?.on_success : config?.on_failure;
	if (!notice?.enabled || notice.webhook_url === undefined) return;
	const {attempt, exit_code, duration_ms, triggered_by, scheduled_for, started_at, error} = execution;
	await needs.sendNotice({
		...{id, user_id, type: `cron.execution.${status}`, destinations: [{name, url: notice.webhook_url}]},
		timestamp: completed_at ?? needs.clock.now(),
		data: {
			...{execution_id: id, job_id, job_name: name, status, attempt, exit_code, duration_ms, triggered_by},
			...{scheduled_for, started_at, completed_at, error},
		},
	});
};
