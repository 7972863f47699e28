import test from 'ava';
import type {MemoryDatabase} from '../../src/memory/database.ts';
import {type Fault, failedCases} from './support/failed-cases.ts';

/** Lets others in between a check and its write. */
const interrupted = () => Promise.resolve();

type SeededFault = Readonly<{fault: string; subject: string; caughtBy: string; seed: Fault}>;

/** What waits for a run is as it was before the run ended. */
const forgetting = async <T>(db: MemoryDatabase, work: () => Promise<T>): Promise<T> => {
	const before = [...db.chainExecutions.values()];
	const answer = await work();
	for (const row of before) if (db.chainExecutions.has(row.id)) db.chainExecutions.set(row.id, row);
	return answer;
};

const chainFaults: readonly SeededFault[] = [
	{
		fault: 'a changed chain that is compared before the write',
		subject: 'chains',
		caughtBy: 'of 50 parallel changes',
		seed: (stores, db) => ({
			chains: {
				update: async (user_id, chain, version) => {
					const before = db.chains.get(chain.id);
					await interrupted();
					if (before?.user_id === user_id) db.chains.set(chain.id, before);
					return stores.chains.update(user_id, chain, version);
				},
			},
		}),
	},
	{
		fault: 'a deleted chain whose runs go on',
		subject: 'chains',
		caughtBy: 'cancels what runs of them',
		seed: (stores, db) => ({
			chains: {
				delete: async (user_id, id) => {
					const runs = [...db.executions.values()];
					const deleted = await stores.chains.delete(user_id, id);
					for (const run of runs) db.executions.set(run.id, run);
					return deleted;
				},
			},
		}),
	},
	{
		fault: 'a chain tick that is compared before the write',
		subject: 'chain ticks',
		caughtBy: 'of 100 parallel firings',
		seed: (stores, db) => ({
			chainTicks: {
				fire: async (firing) => {
					const before = db.chains.get(firing.chain_id);
					await interrupted();
					if (before !== undefined) db.chains.set(before.id, before);
					db.occurrences.clear();
					return stores.chainTicks.fire(firing);
				},
			},
		}),
	},
	{
		fault: 'a tick that sees only what ticks have started',
		subject: 'chain ticks',
		caughtBy: 'however that was started',
		seed: (stores, db) => ({
			chainTicks: {
				fire: async (firing) => {
					for (const row of db.chainExecutions.values())
						if (row.triggered_by !== 'schedule') db.chainExecutions.set(row.id, {...row, status: 'completed'});
					return stores.chainTicks.fire(firing);
				},
			},
		}),
	},
];

const executionFaults: readonly SeededFault[] = [
	{
		fault: 'steps that are read from the chain as it is now',
		subject: 'chain execution start',
		caughtBy: 'later changes of the chain do not reach it',
		seed: (stores, db) => ({
			chainExecutions: {
				get: async (user_id, id) => {
					const found = await stores.chainExecutions.get(user_id, id);
					const chain_name = db.chains.get(found?.chain_id ?? '')?.name ?? '';
					return found && {...found, chain_name};
				},
			},
		}),
	},
	{
		fault: 'an advance that is compared before the write',
		subject: 'chain execution advance',
		caughtBy: 'of 100 parallel starts',
		seed: (stores, db) => ({
			chainExecutions: {
				advance: async (next, effects) => {
					const before = db.chainExecutions.get(next.id);
					await interrupted();
					if (before !== undefined) db.chainExecutions.set(next.id, before);
					return stores.chainExecutions.advance(next, effects);
				},
			},
		}),
	},
	{
		fault: 'an advance of what is over',
		subject: 'chain execution advance',
		caughtBy: 'once it is over nothing changes it',
		seed: (stores, db) => ({
			chainExecutions: {
				advance: async (next, effects) => {
					const row = db.chainExecutions.get(next.id);
					if (row !== undefined) db.chainExecutions.set(row.id, {...row, status: 'running'});
					return stores.chainExecutions.advance(next, effects);
				},
			},
		}),
	},
	{
		fault: 'a cancel that leaves the run of the step',
		subject: 'chain execution advance',
		caughtBy: 'a canceled step ends each attempt',
		seed: (stores) => ({
			chainExecutions: {
				advance: async (next, effects) =>
					stores.chainExecutions.advance(
						next,
						effects.filter(({type}) => type !== 'cancel_runs'),
					),
			},
		}),
	},
	{
		fault: 'a run that ends without a word',
		subject: 'due chain executions',
		caughtBy: 'it is due at once when its run has ended',
		seed: (stores, db) => ({
			executionLeases: {finish: (...order) => forgetting(db, () => stores.executionLeases.finish(...order))},
		}),
	},
	{
		fault: 'a run that ends without raising the version',
		subject: 'due chain executions',
		caughtBy: 'whoever knew less is too late',
		seed: (stores, db) => ({
			executionLeases: {
				finish: async (...order) => {
					const versions = new Map([...db.chainExecutions.values()].map(({id, version}) => [id, version]));
					const finished = await stores.executionLeases.finish(...order);
					for (const row of db.chainExecutions.values())
						db.chainExecutions.set(row.id, {...row, version: versions.get(row.id) ?? row.version});
					return finished;
				},
			},
		}),
	},
	{
		fault: 'a deleted job that leaves its chain waiting',
		subject: 'due chain executions',
		caughtBy: 'went with its job',
		seed: (stores, db) => ({
			cronJobs: {delete: (...order) => forgetting(db, () => stores.cronJobs.delete(...order))},
		}),
	},
	{
		fault: 'a retry that no step knows of',
		subject: 'due chain executions',
		caughtBy: 'followed by another attempt',
		seed: (stores, db) => ({
			executionLeases: {
				finish: async (...order) => {
					const finished = await stores.executionLeases.finish(...order);
					db.stepRuns.delete(order[2].retry?.id ?? '');
					return finished;
				},
			},
		}),
	},
	{
		fault: 'a purge that takes what runs',
		subject: 'ended chain executions',
		caughtBy: 'none that runs',
		seed: (stores, db) => ({
			chainExecutions: {
				purge: async (retention, limit) => {
					for (const row of db.chainExecutions.values())
						if (row.status === 'running') db.chainExecutions.delete(row.id);
					return stores.chainExecutions.purge(retention, limit);
				},
			},
		}),
	},
];

/** What only many who act at once bring to light. */
const raceFaults: readonly SeededFault[] = [
	{
		fault: 'an advance that somebody else came before',
		subject: 'chain races',
		caughtBy: 'of 1,000 cancels',
		seed: (stores, db) => ({
			chainExecutions: {
				advance: async (next, effects) => {
					const {status, version} = db.chainExecutions.get(next.id) ?? next;
					return stores.chainExecutions.advance(status === 'running' ? {...next, version} : next, effects);
				},
			},
		}),
	},
	{
		fault: 'a canceled execution that goes on',
		subject: 'chain races',
		caughtBy: 'of 1,000 cancels',
		seed: (stores, db) => ({
			chainExecutions: {
				advance: async (next, effects) => {
					const row = db.chainExecutions.get(next.id);
					if (row?.status === 'canceled') db.chainExecutions.set(row.id, {...row, ...next, status: 'running'});
					return stores.chainExecutions.advance(next, effects);
				},
			},
		}),
	},
	{
		fault: 'a run that starts although it is canceled',
		subject: 'chain races',
		caughtBy: 'of 1,000 cancels',
		seed: (stores, db) => ({
			executionLeases: {
				start: async (user_id, hold) => {
					const row = db.executions.get(hold.execution_id);
					if (row?.status === 'canceled') return true;
					return stores.executionLeases.start(user_id, hold);
				},
			},
		}),
	},
];

for (const {fault, subject, caughtBy, seed} of [...chainFaults, ...executionFaults, ...raceFaults]) {
	test(`the contract catches ${fault}`, async (t) => {
		const failed = await failedCases(subject, seed);
		t.true(
			failed.some((title) => title.includes(caughtBy)),
			`not caught by "${caughtBy}", only by: ${failed.join('; ')}`,
		);
	});
}
