import type {MemoryDatabase} from '../database.ts';
import {deleteWhere, rowsWhere, updateWhere} from '../rows.ts';
import {noteRunChanged} from './step-runs.ts';
import type {ExecutionRow} from './tables.ts';

export const deleteExecution = (db: MemoryDatabase, id: string): void => {
	db.stepRuns.delete(id);
	db.executions.delete(id);
};

export const deleteJob = (db: MemoryDatabase, job_id: string): boolean => {
	const belongs = (row: Readonly<{job_id: string}>) => row.job_id === job_id;
	deleteWhere(db.occurrences, belongs);
	for (const {id} of rowsWhere(db.executions, belongs)) {
		noteRunChanged(db, id);
		deleteExecution(db, id);
	}
	return db.cronJobs.delete(job_id);
};

/** Gives back what the agent leased and did not start. */
export const freeLeases = (db: MemoryDatabase, agent_id: string): void => {
	updateWhere(
		db.executions,
		(row) => row.status === 'pending' && row.hold?.agent_id === agent_id,
		(row): ExecutionRow => ({...row, hold: null}),
	);
};

export const deleteAgent = (db: MemoryDatabase, agent_id: string): boolean => {
	freeLeases(db, agent_id);
	updateWhere(
		db.cronJobs,
		(job) => job.agent_id === agent_id,
		(job) => ({...job, agent_id: null}),
	);
	updateWhere(
		db.executions,
		(row) => row.status === 'pending' && row.agent_id === agent_id,
		(row) => ({...row, agent_id: null}),
	);
	return db.agents.delete(agent_id);
};
