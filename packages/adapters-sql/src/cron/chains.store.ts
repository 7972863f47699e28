import type {ChainRecord, ChainStore, DeletedChain} from '@signalbox/core';
import {type Connection, first, type Reader, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {type Sql, sql} from '../sql.ts';
import {chainExecutions, chains} from './chains.table.ts';
import {cancelStepRuns} from './end-execution.ts';

const ofUser = (user_id: string, id: string): Sql => sql`id = ${id} AND user_id = ${user_id}`;

const selectChains = (condition: Sql): Sql => sql`SELECT ${chains.columns} FROM cron_chains WHERE ${condition}`;

export const findChain = async (reader: Reader, user_id: string, id: string): Promise<ChainRecord | undefined> => {
	const row = await first(reader, selectChains(ofUser(user_id, id)));
	return row && chains.read(row);
};

/** What says who made it and when stays; the rest is written. */
const changesOf = ({id: _, user_id: __, created_at: ___, ...changes}: ChainRecord, version: number): Sql =>
	chains.set({...changes, version: version + 1});

const updateChain = async (transaction: Transaction, one: Sql, [chain, version]: [ChainRecord, number]) => {
	const update = sql`UPDATE cron_chains SET ${changesOf(chain, version)} WHERE ${one} AND version = ${version}`;
	const row = await guardedUpdate(transaction, update, selectChains(one));
	return row && chains.read(row);
};

/** Its executions, and what says which runs are theirs, go with it by their foreign keys. */
const deleteChain = async (
	transaction: Transaction,
	user_id: string,
	id: string,
): Promise<DeletedChain | undefined> => {
	const one = ofUser(user_id, id);
	if (!(await first(transaction, sql`SELECT id FROM cron_chains WHERE ${one} ${transaction.dialect.forUpdate}`)))
		return undefined;
	const running = sql`chain_id = ${id} AND ${transaction.dialect.isSet('due_at')}`;
	// No step of them starts, and no attempt at one is followed by another, from here on.
	const rows = await transaction.all(
		sql`SELECT ${chainExecutions.columns} FROM cron_chain_executions WHERE ${running} ORDER BY id
			${transaction.dialect.forUpdate}`,
	);
	const executions = rows.map(chainExecutions.read).map(({untold_since: _, ...execution}) => execution);
	const runs = await cancelStepRuns(
		transaction,
		sql`chain_execution_id IN (SELECT id FROM cron_chain_executions WHERE ${running})`,
	);
	await transaction.run(sql`DELETE FROM cron_occurrences WHERE user_id = ${user_id} AND job_id = ${id}`);
	await transaction.run(sql`DELETE FROM cron_chains WHERE ${one}`);
	return {executions, runs};
};

export const createChainStore = (connection: Connection): ChainStore => ({
	create: async (chain) => {
		await connection.write(async (transaction) => transaction.run(chains.insert([chain])));
	},
	get: async (user_id, id) => findChain(connection, user_id, id),
	list: async (user_id) => {
		const rows = await connection.all(
			sql`${selectChains(sql`user_id = ${user_id}`)} ORDER BY created_at DESC, id DESC`,
		);
		return rows.map(chains.read);
	},
	update: async (user_id, chain, version) =>
		connection.write(async (transaction) => updateChain(transaction, ofUser(user_id, chain.id), [chain, version])),
	delete: async (user_id, id) => connection.write(async (transaction) => deleteChain(transaction, user_id, id)),
});
