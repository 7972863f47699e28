import type {ChainFired, ChainFiring, ChainTickStore} from '@signalbox/core';
import {type Connection, first, storeNow, type Transaction} from '../connection.ts';
import {integer, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {chains, dueChains} from './chains.table.ts';
import {occurrences} from './executions.table.ts';
import {startChains} from './start-chain.ts';

const isRunning = async (transaction: Transaction, chain_id: string): Promise<boolean> => {
	const running = sql`chain_id = ${chain_id} AND ${transaction.dialect.isSet('due_at')}`;
	return (await first(transaction, sql`SELECT id FROM cron_chain_executions WHERE ${running} LIMIT 1`)) !== undefined;
};

/** Moves the chain on, if it still is due then. @returns it. */
const moveOn = async (transaction: Transaction, {chain_id, from, next_run_at}: ChainFiring) => {
	const changes = chains.set({next_run_at});
	const one = sql`id = ${chain_id}`;
	const update = sql`UPDATE cron_chains SET ${changes} WHERE ${one} AND next_run_at = ${storedInstant(from)}`;
	if ((await transaction.run(update)) === 0) return undefined;
	const row = await first(transaction, sql`SELECT ${chains.columns} FROM cron_chains WHERE ${one}`);
	return row && chains.read(row);
};

const fire = async (transaction: Transaction, firing: ChainFiring): Promise<ChainFired> => {
	const {chain_id, scheduled_for, execution_id} = firing;
	const chain = await moveOn(transaction, firing);
	if (chain === undefined) return 'lost';
	const {user_id} = chain;
	const judged = sql`user_id = ${user_id} AND scheduled_for = ${storedInstant(scheduled_for)} AND job_id = ${chain_id}`;
	if (await first(transaction, sql`SELECT job_id FROM cron_occurrences WHERE ${judged}`)) return 'lost';
	const started = (await isRunning(transaction, chain_id)) ? 'skipped' : 'fired';
	const outcome = execution_id === null ? 'too_late' : started;
	await transaction.run(occurrences.insert([{job_id: chain_id, scheduled_for, user_id, outcome}]));
	if (outcome === 'fired' && execution_id !== null) {
		const by = {triggered_by: 'schedule', trigger_event_id: null} as const;
		await startChains(transaction, [{chain, execution: {id: execution_id, chain_id, ...by}}]);
	}
	return outcome;
};

export const createChainTickStore = (connection: Connection): ChainTickStore => ({
	due: async (limit) => {
		const now = await storeNow(connection);
		const rows = await connection.all(
			sql`SELECT ${dueChains.columns} FROM cron_chains
				WHERE next_run_at <= ${storedInstant(now)} AND schedule_cron IS NOT NULL
				ORDER BY next_run_at, id LIMIT ${integer(limit)}`,
		);
		return {now, chains: rows.map(dueChains.read)};
	},
	fire: async (firing) => connection.write(async (transaction) => fire(transaction, firing)),
});
