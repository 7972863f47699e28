import type {ChainRecord} from '../../cron/model/chain.ts';
import type {ChainFired, ChainFiring, ChainTickStore, DueChain} from '../../ports/index.ts';
import {compositeKey, type MemoryDatabase} from '../database.ts';
import {by, copyOf, rowsWhere} from '../rows.ts';
import {addChainExecution} from './chain-executions.ts';

type DatedChain = ChainRecord & DueChain;

const isDated = (chain: ChainRecord): chain is DatedChain => chain.next_run_at !== null && chain.schedule_cron !== null;

const dueChain = ({id, user_id, schedule_cron, timezone, next_run_at}: DatedChain): DueChain =>
	copyOf({id, user_id, schedule_cron, timezone, next_run_at});

const occur = (db: MemoryDatabase, chain: ChainRecord, execution_id: string | null): Exclude<ChainFired, 'lost'> => {
	if (execution_id === null) return 'too_late';
	const isRunning = rowsWhere(db.chainExecutions, (row) => row.chain_id === chain.id).some(
		({status}) => status === 'running',
	);
	if (isRunning) return 'skipped';
	const by = {triggered_by: 'schedule', trigger_event_id: null} as const;
	addChainExecution(db, chain, {id: execution_id, chain_id: chain.id, ...by});
	return 'fired';
};

const fire = (
	db: MemoryDatabase,
	{chain_id, from, next_run_at, scheduled_for, execution_id}: ChainFiring,
): ChainFired => {
	const chain = db.chains.get(chain_id);
	if (chain?.next_run_at !== from) return 'lost';
	db.chains.set(chain_id, {...chain, next_run_at});
	const key = compositeKey(chain_id, scheduled_for);
	if (db.occurrences.has(key)) return 'lost';
	const outcome = occur(db, chain, execution_id);
	db.occurrences.set(key, {job_id: chain_id, user_id: chain.user_id, scheduled_for, outcome});
	return outcome;
};

export const createChainTickStore = (db: MemoryDatabase): ChainTickStore => ({
	due: async (limit) => {
		const now = db.now();
		const due = [...db.chains.values()].filter(isDated).filter(({next_run_at}) => next_run_at <= now);
		return {now, chains: due.sort(by('next_run_at', 'id')).slice(0, limit).map(dueChain)};
	},
	fire: async (firing) => fire(db, firing),
});
