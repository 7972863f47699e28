import type {StepLimits} from '../../cron/model/execution.ts';
import type {MemoryDatabase} from '../database.ts';

export const stepLimitsOf = (db: MemoryDatabase, execution_id: string): StepLimits | null => {
	const row = db.stepRuns.get(execution_id);
	return row === undefined ? null : {deadline_at: row.deadline_at, event_id: row.event_id};
};

/** The chain execution that the run is part of, if it waits for it, is due. */
export const noteRunChanged = (db: MemoryDatabase, execution_id: string): void => {
	const row = db.chainExecutions.get(db.stepRuns.get(execution_id)?.chain_execution_id ?? '');
	if (row?.due_at) db.chainExecutions.set(row.id, {...row, due_at: db.now(), version: row.version + 1});
};
