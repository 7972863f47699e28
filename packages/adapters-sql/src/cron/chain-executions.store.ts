import {
	type ChainExecutionRecord,
	type ChainExecutionStore,
	DomainError,
	type DueChainExecution,
	type StepRun,
} from '@signalbox/core';
import {type Connection, type Reader, storeNow, type Transaction} from '../connection.ts';
import {handful} from '../handful.ts';
import {newestPage} from '../page.ts';
import {edgeOf} from '../retention-edge.ts';
import {integer, paddedList, raw, type Sql, sql} from '../sql.ts';
import {type Row, readInstant, storedInstant} from '../table.ts';
import {advanceChain} from './advance-chain.ts';
import {findChain} from './chains.store.ts';
import {chainExecutions} from './chains.table.ts';
import {startChains} from './start-chain.ts';

const recordOf = ({untold_since: _, ...record}: ReturnType<typeof chainExecutions.read>): ChainExecutionRecord =>
	record;

const select = async (reader: Reader, condition: Sql): Promise<readonly ChainExecutionRecord[]> => {
	const rows = await reader.all(sql`SELECT ${chainExecutions.columns} FROM cron_chain_executions WHERE ${condition}`);
	return rows.map(chainExecutions.read).map(recordOf);
};

const create = async (transaction: Transaction, ...[user_id, execution]: Parameters<ChainExecutionStore['create']>) => {
	const chain = await findChain(transaction, user_id, execution.chain_id);
	if (chain === undefined) throw new DomainError('resource_not_found');
	const [started] = await startChains(transaction, [{chain, execution}]);
	return started ?? Promise.reject(new Error('a chain was not started'));
};

const listPage = async (
	connection: Connection,
	...[user_id, chain_id, page]: Parameters<ChainExecutionStore['list']>
) => {
	const condition = sql`chain_id = ${chain_id}`;
	const found = await newestPage(connection, {table: chainExecutions, condition, by: raw('started_at')}, page);
	const isTheirs = (await findChain(connection, user_id, chain_id)) !== undefined;
	return isTheirs ? {...found, data: found.data.map(recordOf)} : undefined;
};

const readStepRun = ({id, status, error, started_at, completed_at, duration_ms}: Row): StepRun => ({
	id: String(id),
	status: status as StepRun['status'],
	error: error === null ? null : String(error),
	started_at: started_at === null ? null : readInstant(started_at),
	completed_at: completed_at === null ? null : readInstant(completed_at),
	duration_ms: duration_ms === null ? null : Number(duration_ms),
});

/** By chain execution, the last attempt at the step that runs. */
const readRuns = async (reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, StepRun>> => {
	const rows = await reader.all(
		sql`SELECT s.chain_execution_id, e.id, e.status, e.error, e.started_at, e.completed_at, e.duration_ms
			FROM cron_chain_executions c JOIN cron_step_runs s ON s.chain_execution_id = c.id AND s.step_order = c.current_step
			JOIN cron_executions e ON e.id = s.execution_id
			WHERE c.id IN ${paddedList(ids)} ORDER BY s.attempt`,
	);
	return new Map(rows.map((row) => [String(row.chain_execution_id), readStepRun(row)]));
};

const readDue = async (connection: Connection, limit: number) => {
	const now = await storeNow(connection);
	const due = sql`due_at <= ${storedInstant(now)} ORDER BY due_at, id LIMIT ${integer(limit)}`;
	const found = await select(connection, due);
	if (found.length === 0) return {now, executions: []};
	const runs = await readRuns(
		connection,
		found.map(({id}) => id),
	);
	return {
		now,
		executions: found.map((execution): DueChainExecution => ({execution, run: runs.get(execution.id) ?? null})),
	};
};

const purge = async (connection: Connection, ...[retention, limit]: Parameters<ChainExecutionStore['purge']>) => {
	const edge = edgeOf(retention, await storeNow(connection));
	const rows = await connection.all(
		sql`SELECT c.id, LENGTH(c.steps) AS bytes FROM users u CROSS JOIN cron_chain_executions c
			WHERE c.user_id = u.id AND c.completed_at < ${edge} LIMIT ${integer(limit)}`,
	);
	const ids = handful(rows).map(({id}) => String(id));
	if (ids.length === 0) return 0;
	return connection.write(async (transaction) =>
		transaction.run(sql`DELETE FROM cron_chain_executions WHERE id IN ${paddedList(ids)}`),
	);
};

export const createChainExecutionStore = (connection: Connection): ChainExecutionStore => ({
	create: async (...order) => connection.write(async (transaction) => create(transaction, ...order)),
	list: async (...order) => listPage(connection, ...order),
	get: async (user_id, id) => (await select(connection, sql`id = ${id} AND user_id = ${user_id}`)).at(0),
	due: async (limit) => readDue(connection, limit),
	advance: async (...order) => connection.write(async (transaction) => advanceChain(transaction, ...order)),
	untold: async (limit) =>
		select(connection, sql`untold_since IS NOT NULL ORDER BY untold_since, id LIMIT ${integer(limit)}`),
	told: async (id) => {
		await connection.write(async (transaction) =>
			transaction.run(sql`UPDATE cron_chain_executions SET untold_since = NULL WHERE id = ${id}`),
		);
	},
	purge: async (...order) => purge(connection, ...order),
});
