import {
	type AgentRecord,
	type ExecutionEnding,
	type ExecutionHold,
	type ExecutionLeaseRequest,
	type ExecutionLeaseStore,
	type LeasedExecution,
	plusSeconds,
} from '@signalbox/core';
import {type Connection, count, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {integer, paddedList, type Sql, sql} from '../sql.ts';
import {type Row, storedInstant} from '../table.ts';
import {agents} from './agents.table.ts';
import {endExecution, recordOf} from './end-execution.ts';
import {executions} from './executions.table.ts';
import {withCommands} from './jobs.store.ts';
import {jobs} from './jobs.table.ts';
import {appendOutput} from './outputs.ts';
import {giveUp, readOverdue} from './overdue.ts';
import {readStepLimits} from './step-runs.ts';

/** The agent as its last session, if it takes work. */
const takingAgent = async (
	reader: Reader,
	{user_id, agent_id, session_id}: ExecutionLeaseRequest,
): Promise<AgentRecord | undefined> => {
	const row = await first(
		reader,
		sql`SELECT ${agents.columns} FROM cron_agents WHERE id = ${agent_id} AND user_id = ${user_id}
			AND session_id = ${session_id} AND is_draining = 0 ${reader.dialect.forUpdate}`,
	);
	return row && agents.read(row);
};

type Search = Readonly<{now: string; limit: number}>;

/** For one agent, or for the default one: the index has them apart. */
const selectFree = async (reader: Reader, forWhom: Sql, {now, limit}: Search) =>
	reader.all(
		sql`SELECT id, due_at FROM cron_executions WHERE ${forWhom} AND due_at <= ${now}
			AND ${reader.dialect.isSet('available_at')} AND available_at <= ${now} AND start_deadline_at > ${now}
			ORDER BY due_at, id LIMIT ${integer(limit)} ${reader.dialect.claim}`,
	);

const place = ({due_at, id}: Row): string => `${due_at} ${id}`;

/** The longest due that the agent may lease. */
const freeFor = async (reader: Reader, {id, user_id, is_default}: AgentRecord, search: Search) => {
	const own = await selectFree(reader, sql`user_id = ${user_id} AND agent_id = ${id}`, search);
	const unassigned = sql`user_id = ${user_id} AND agent_id IS NULL`;
	const anyones = is_default ? await selectFree(reader, unassigned, search) : [];
	return [...own, ...anyones]
		.sort((a, b) => (place(a) < place(b) ? -1 : 1))
		.slice(0, search.limit)
		.map((row) => String(row.id));
};

/** What its capacity leaves. */
const roomOf = async (transaction: Transaction, {id, capacity}: AgentRecord, now: string): Promise<number> => {
	const held = sql`SELECT COUNT(*) AS count FROM cron_executions WHERE held_by = ${id}
		AND (status = 'running' OR (status = 'pending' AND available_at > ${now}))`;
	return Math.max(0, capacity - (await count(transaction, held)));
};

const readLeased = async (
	transaction: Transaction,
	ids: readonly string[],
	leased_at: string,
): Promise<readonly LeasedExecution[]> => {
	const rows = await transaction.all(
		sql`SELECT ${executions.columns} FROM cron_executions WHERE id IN ${paddedList(ids)} ORDER BY due_at, id`,
	);
	const leased = rows.map(executions.read);
	const job_ids = [...new Set(leased.map(({job_id}) => job_id))];
	const found = await transaction.all(sql`SELECT ${jobs.columns} FROM cron_jobs WHERE id IN ${paddedList(job_ids)}`);
	const jobOf = new Map((await withCommands(transaction, found.map(jobs.read))).map((job) => [job.id, job]));
	const ofChains = leased.filter(({triggered_by}) => triggered_by === 'chain' || triggered_by === 'retry');
	const steps = await readStepLimits(
		transaction,
		ofChains.map(({id}) => id),
	);
	return leased.flatMap((row) => {
		const job = jobOf.get(row.job_id);
		const step = steps.get(row.id) ?? null;
		return job ? [{execution: recordOf(row), job, lease_token: row.lease_token ?? '', leased_at, step}] : [];
	});
};

const lease = async (transaction: Transaction, request: ExecutionLeaseRequest): Promise<readonly LeasedExecution[]> => {
	const agent = await takingAgent(transaction, request);
	if (agent === undefined) return [];
	const now = await storeNow(transaction);
	const room = Math.min(request.tokens.length, await roomOf(transaction, agent, storedInstant(now)));
	if (room === 0) return [];
	const ids = await freeFor(transaction, agent, {now: storedInstant(now), limit: room});
	if (ids.length === 0) return [];
	const available_at = plusSeconds(now, request.lease_seconds);
	for (const [index, id] of ids.entries()) {
		const changes = executions.set({held_by: agent.id, lease_token: request.tokens[index], available_at});
		await transaction.run(sql`UPDATE cron_executions SET ${changes} WHERE id = ${id}`);
	}
	return readLeased(transaction, ids, now);
};

/** Whether a look may find something to lease. */
const isSomethingFree = async (connection: Connection, request: ExecutionLeaseRequest): Promise<boolean> => {
	const agent = await takingAgent(connection, request);
	if (agent === undefined) return false;
	const now = storedInstant(await storeNow(connection));
	return (await freeFor(connection, agent, {now, limit: 1})).length > 0;
};

/** The execution of the user, if that is its last lease; it may have ended. */
const isHeld = (user_id: string, {execution_id, lease_token}: ExecutionHold): Sql =>
	sql`id = ${execution_id} AND user_id = ${user_id} AND lease_token = ${lease_token}`;

const findHeld = async (transaction: Transaction, held: Sql) => {
	const row = await first(
		transaction,
		sql`SELECT ${executions.columns} FROM cron_executions WHERE ${held} ${transaction.dialect.forUpdate}`,
	);
	return row && executions.read(row);
};

const start = async (transaction: Transaction, held: Sql): Promise<boolean> => {
	const row = await findHeld(transaction, held);
	if (row?.status !== 'pending') return row?.status === 'running';
	const now = await storeNow(transaction);
	const changes = executions.set({
		status: 'running',
		agent_id: row.held_by,
		started_at: now,
		watched_at: now,
		available_at: null,
	});
	const started = await transaction.run(
		sql`UPDATE cron_executions SET ${changes} WHERE ${held} AND status = 'pending'`,
	);
	if (started === 0) return false;
	await transaction.run(sql`UPDATE cron_jobs SET ${jobs.set({last_run_at: now})} WHERE id = ${row.job_id}`);
	return true;
};

const finish = async (
	transaction: Transaction,
	[user_id, hold]: readonly [string, ExecutionHold],
	ending: ExecutionEnding,
) => {
	const held = isHeld(user_id, hold);
	if (await endExecution(transaction, {id: hold.execution_id, user_id, state: held}, ending)) return true;
	const {status, exit_code, duration_ms, error} = ending.result;
	const row = await findHeld(transaction, held);
	return (
		row?.status === status && row.exit_code === exit_code && row.duration_ms === duration_ms && row.error === error
	);
};

export const createExecutionLeaseStore = (connection: Connection): ExecutionLeaseStore => ({
	// Most looks find nothing: they keep no writer waiting.
	lease: async (request) =>
		(await isSomethingFree(connection, request))
			? connection.write(async (transaction) => lease(transaction, request))
			: [],
	start: async (user_id, hold) => connection.write(async (transaction) => start(transaction, isHeld(user_id, hold))),
	append: async (user_id, chunk, most_bytes) =>
		connection.write(async (transaction) => {
			const row = await findHeld(transaction, isHeld(user_id, chunk));
			return row?.status === 'running' ? appendOutput(transaction, row, {...chunk, most_bytes}) : undefined;
		}),
	finish: async (user_id, hold, ending) =>
		connection.write(async (transaction) => finish(transaction, [user_id, hold], ending)),
	overdue: async (lost_seconds, limit) => readOverdue(connection, lost_seconds, limit),
	giveUp: async (...order) => connection.write(async (transaction) => giveUp(transaction, ...order)),
});
