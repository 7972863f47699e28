import type {ChainExecutionRecord} from '../../cron/model/chain-execution.ts';
import type {ExecutionRecord} from '../../cron/model/execution.ts';
import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {McpCallEntry} from '../../mcp/model/call.ts';
import type {EventStatus, NewEvent} from '../../webhook/model/event.ts';
import type {NotificationRecord} from '../model/notification.ts';

/** What a row of a list shows of each, named one by one: nothing that a record gains later slips into the stream. */
type Summary = Readonly<Record<string, unknown>>;

export const summaryOfApproval = (approval: ApprovalRecord): Summary => {
	const {id, mcp_server_id, user_id, tool_name, status, decided_by, decision_note, decided_at} = approval;
	const {expires_at, created_at, caller_waiting} = approval;
	return {
		...{id, mcp_server_id, user_id, tool_name, status, decided_by, decision_note, decided_at},
		...{expires_at, created_at, caller_waiting},
	};
};

/** As it was when it began to wait, however quickly it was decided. */
export const summaryOfPending = (approval: ApprovalRecord): Summary => ({
	...summaryOfApproval(approval),
	...{status: 'pending', decided_by: null, decision_note: null, decided_at: null},
});

export const summaryOfCall = (call: McpCallEntry): Summary => {
	const {id, mcp_server_id, method, tool_name, status, status_code, duration_ms, approval_id} = call;
	const {cost_cents, created_at} = call;
	return {
		...{id, mcp_server_id, method, tool_name, status, status_code, duration_ms, approval_id},
		...{cost_cents, created_at},
	};
};

export const summaryOfEvent = (event: NewEvent, delivery_status: EventStatus): Summary => {
	const {id, endpoint_id, method, replay_of, created_at} = event;
	return {id, endpoint_id, method, replay_of, delivery_status, created_at};
};

export const summaryOfExecution = (execution: ExecutionRecord): Summary => {
	const {id, job_id, job_name, status, exit_code, duration_ms, triggered_by, attempt, retry_of} = execution;
	const {scheduled_for, started_at, completed_at, missed_count, truncated} = execution;
	return {
		...{id, job_id, job_name, status, exit_code, duration_ms, triggered_by, attempt, retry_of},
		...{scheduled_for, started_at, completed_at, missed_count, truncated},
	};
};

export const summaryOfChainExecution = (execution: ChainExecutionRecord): Summary => {
	const {id, chain_id, chain_name, status, triggered_by, trigger_event_id, current_step} = execution;
	const {started_at, completed_at, canceled_by} = execution;
	const steps = execution.steps.map((step) => ({
		...{step_order: step.step_order, cron_job_id: step.cron_job_id, job_name: step.job_name, status: step.status},
		...{execution_id: step.execution_id, started_at: step.started_at, completed_at: step.completed_at},
	}));
	return {
		...{id, chain_id, chain_name, status, triggered_by, trigger_event_id, current_step, steps},
		...{started_at, completed_at, canceled_by},
	};
};

export const summaryOfNotification = ({user_id: _, ...notification}: NotificationRecord): Summary => notification;
