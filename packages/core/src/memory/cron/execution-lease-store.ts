import type {AgentRecord} from '../../cron/model/agent.ts';
import type {LeasedExecution} from '../../cron/model/execution.ts';
import type {
	ExecutionEnding,
	ExecutionHold,
	ExecutionLeaseRequest,
	ExecutionLeaseStore,
	OutputChunk,
	OverdueExecution,
} from '../../ports/index.ts';
import {joinBytes} from '../../values/bytes-text.ts';
import {plusSeconds} from '../../values/instant.ts';
import {isSameJson} from '../../values/same-json.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, rowsWhere} from '../rows.ts';
import {endExecution, recordOf} from './executions.ts';
import {heldCount, heldRow, isFree} from './holds.ts';
import {stepLimitsOf} from './step-runs.ts';
import type {ExecutionRow} from './tables.ts';

const isFor = ({id, user_id, is_default}: AgentRecord, row: ExecutionRow): boolean =>
	row.user_id === user_id && (row.agent_id === null ? is_default : row.agent_id === id);

/** The agent as its last session, if it takes work. */
const takingAgent = (db: MemoryDatabase, {user_id, agent_id, session_id}: ExecutionLeaseRequest) => {
	const agent = db.agents.get(agent_id);
	const isLast = agent?.user_id === user_id && agent.session_id === session_id;
	return isLast && !agent.is_draining ? agent : undefined;
};

const hold = (
	db: MemoryDatabase,
	row: ExecutionRow,
	lease: Pick<ExecutionLeaseRequest, 'agent_id' | 'lease_seconds'> & Readonly<{token: string}>,
): LeasedExecution | undefined => {
	const job = db.cronJobs.get(row.job_id);
	if (job === undefined) return undefined;
	const now = db.now();
	const {agent_id, token, lease_seconds} = lease;
	const held = {...row, hold: {agent_id, token, leased_until: plusSeconds(now, lease_seconds), heard_at: now}};
	db.executions.set(row.id, held);
	return {
		execution: recordOf(held),
		job: copyOf(job),
		lease_token: token,
		leased_at: now,
		step: stepLimitsOf(db, row.id),
	};
};

const lease = (db: MemoryDatabase, request: ExecutionLeaseRequest): readonly LeasedExecution[] => {
	const agent = takingAgent(db, request);
	if (agent === undefined) return [];
	const now = db.now();
	const due = rowsWhere(
		db.executions,
		(row) => isFree(row, now) && isFor(agent, row) && row.due_at <= now && row.start_deadline_at > now,
	).sort(by('due_at', 'id'));
	const room = Math.max(0, agent.capacity - heldCount(db, agent.id));
	return request.tokens.slice(0, room).flatMap((token, index) => {
		const row = due[index];
		return row === undefined ? [] : (hold(db, row, {...request, token}) ?? []);
	});
};

const start = (db: MemoryDatabase, user_id: string, hold: ExecutionHold): boolean => {
	const row = heldRow(db, user_id, hold);
	if (row?.status === 'running') return true;
	if (row?.status !== 'pending') return false;
	const now = db.now();
	const {agent_id} = row.hold;
	db.executions.set(row.id, {
		...row,
		status: 'running',
		agent_id,
		started_at: now,
		hold: {...row.hold, heard_at: now},
	});
	const job = db.cronJobs.get(row.job_id);
	if (job !== undefined) db.cronJobs.set(job.id, {...job, last_run_at: now});
	return true;
};

/** The row with what is new of the chunk. */
const appended = (row: ExecutionRow, {offset, data}: OutputChunk, most_bytes: number): ExecutionRow => {
	if (offset > row.output_end || offset + data.length <= row.output_end) return row;
	const fresh = data.subarray(row.output_end - offset);
	const kept = fresh.subarray(0, Math.max(0, most_bytes - row.output.length));
	const truncated = row.truncated || kept.length < fresh.length;
	return {...row, output: joinBytes([row.output, kept]), output_end: row.output_end + fresh.length, truncated};
};

const append = (db: MemoryDatabase, row: ExecutionRow): number => {
	db.executions.set(row.id, row);
	return row.output_end;
};

const finish = (db: MemoryDatabase, row: ExecutionRow, ending: ExecutionEnding): boolean => {
	if (row.status === 'pending' || row.status === 'running') {
		endExecution(db, row, ending);
		return true;
	}
	const {truncated: _, ...result} = ending.result;
	const {status, exit_code, duration_ms, error} = row;
	return isSameJson(result, {status, exit_code, duration_ms, error});
};

/** Since when it has been overdue, and why; undefined: it is not. */
const overdueSince = (row: ExecutionRow, lost_seconds: number, now: string) => {
	if (isFree(row, now) && row.start_deadline_at <= now)
		return {since: row.start_deadline_at, cause: 'agent_offline' as const};
	const since = row.status === 'running' && row.hold !== null ? plusSeconds(row.hold.heard_at, lost_seconds) : null;
	return since !== null && since <= now ? {since, cause: 'agent_lost' as const} : undefined;
};

const overdue = (db: MemoryDatabase, lost_seconds: number): readonly OverdueExecution[] =>
	[...db.executions.values()]
		.flatMap((row) => {
			const found = overdueSince(row, lost_seconds, db.now());
			return found === undefined ? [] : {...found, id: row.id, execution: recordOf(row, 0)};
		})
		.sort(by('since', 'id'))
		.map(({execution, cause}) => ({execution, cause}));

export const createExecutionLeaseStore = (db: MemoryDatabase): ExecutionLeaseStore => ({
	lease: async (request) => lease(db, request),
	start: async (user_id, hold) => start(db, user_id, hold),
	append: async (user_id, chunk, most_bytes) => {
		const row = heldRow(db, user_id, chunk);
		return row?.status === 'running' ? append(db, appended(row, chunk, most_bytes)) : undefined;
	},
	finish: async (user_id, hold, ending) => {
		const row = heldRow(db, user_id, hold);
		return row !== undefined && finish(db, row, ending);
	},
	overdue: async (lost_seconds, limit) => overdue(db, lost_seconds).slice(0, limit),
	giveUp: async ({execution, cause}, lost_seconds, ending) => {
		const row = db.executions.get(execution.id);
		if (row === undefined || overdueSince(row, lost_seconds, db.now())?.cause !== cause) return false;
		endExecution(db, row, ending);
		return true;
	},
});
