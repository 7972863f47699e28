import type {ChainRecord} from '../../cron/model/chain.ts';
import {DomainError} from '../../errors.ts';
import type {ChainStore, DeletedChain} from '../../ports/index.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, deleteWhere, newestFirst, rowsWhere} from '../rows.ts';
import {cancelStepRuns, executionRecordOf} from './chain-executions.ts';

const remove = (db: MemoryDatabase, chain_id: string): DeletedChain => {
	const its = rowsWhere(db.chainExecutions, (row) => row.chain_id === chain_id);
	const running = its.filter(({status}) => status === 'running');
	const runs = running.flatMap(({id}) => cancelStepRuns(db, id));
	for (const {id} of its) {
		deleteWhere(db.stepRuns, (row) => row.chain_execution_id === id);
		db.chainExecutions.delete(id);
	}
	deleteWhere(db.occurrences, (row) => row.job_id === chain_id);
	db.chains.delete(chain_id);
	return {executions: running.map(executionRecordOf), runs};
};

export const createChainStore = (db: MemoryDatabase): ChainStore => {
	const find = (user_id: string, id: string): ChainRecord | undefined => {
		const chain = db.chains.get(id);
		return chain?.user_id === user_id ? chain : undefined;
	};
	return {
		create: async (chain) => {
			if (!db.users.has(chain.user_id)) throw new DomainError('resource_not_found');
			db.chains.set(chain.id, copyOf(chain));
		},
		get: async (user_id, id) => copyOf(find(user_id, id)),
		list: async (user_id) => copyOf(rowsWhere(db.chains, (chain) => chain.user_id === user_id).sort(newestFirst)),
		update: async (user_id, chain, version) => {
			if (find(user_id, chain.id)?.version !== version) return undefined;
			const changed = copyOf({...chain, version: version + 1});
			db.chains.set(chain.id, changed);
			return copyOf(changed);
		},
		delete: async (user_id, id) => (find(user_id, id) === undefined ? undefined : remove(db, id)),
	};
};
