import type {ChainExecutionRecord, ChainRecord, NewChainExecution, StepExecution} from '@signalbox/core';
import {storeNow, type Transaction} from '../connection.ts';
import {paddedList, sql} from '../sql.ts';
import {chainExecutions} from './chains.table.ts';

const namesOf = async (transaction: Transaction, chains: readonly ChainRecord[]) => {
	const ids = [...new Set(chains.flatMap(({steps}) => steps.map(({cron_job_id}) => cron_job_id)))];
	const rows = await transaction.all(sql`SELECT id, name FROM cron_jobs WHERE id IN ${paddedList(ids)}`);
	return new Map(rows.map(({id, name}) => [String(id), String(name)]));
};

const unbegun = {status: 'pending', execution_id: null, started_at: null, completed_at: null, error: null} as const;

/** A chain, and what starts it. */
export type ChainStart = Readonly<{chain: ChainRecord; execution: NewChainExecution}>;

/** Writes executions that have not begun, each with the steps of its chain and the names that their jobs have now. */
export const startChains = async (
	transaction: Transaction,
	starts: readonly ChainStart[],
): Promise<readonly ChainExecutionRecord[]> => {
	const names = await namesOf(
		transaction,
		starts.map(({chain}) => chain),
	);
	const now = await storeNow(transaction);
	const rows = starts.map(({chain, execution}) => ({
		...execution,
		...{chain_name: chain.name, user_id: chain.user_id, status: 'running' as const, current_step: null},
		...{started_at: now, completed_at: null, canceled_by: null, due_at: now, version: 1},
		steps: chain.steps.map((step): StepExecution => {
			const job_name = names.get(step.cron_job_id) ?? step.job_name;
			return {...step, job_name, ...unbegun};
		}),
	}));
	await transaction.insert(
		chainExecutions,
		rows.map((row) => ({...row, untold_since: null})),
	);
	return rows;
};
