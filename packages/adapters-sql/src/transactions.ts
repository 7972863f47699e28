import type {Transaction} from './connection.ts';
import type {Dialect} from './dialect.ts';
import type {Session} from './session.ts';
import {raw} from './sql.ts';
import type {Row} from './table.ts';
import {translateError} from './translate-error.ts';

export const translated = async <T>(work: Promise<T>): Promise<T> =>
	work.catch((error) => {
		throw translateError(error);
	});

/** A session as those see it who ask and change, with the store's clock. */
export const transactionOn = (session: Session, dialect: Dialect, clockOffset: () => number): Transaction => ({
	dialect,
	now: () => dialect.now(clockOffset()),
	all: async (statement) => translated(session.all(statement)),
	run: async (statement) => translated(session.run(statement)),
	later: async (statement) => {
		await translated(session.run(statement));
	},
	each: async (statements) => {
		const answers: (readonly Row[])[] = [];
		for (const statement of statements) answers.push(await translated(session.all(statement)));
		return answers;
	},
	insert: async (table, records) => translated(session.insert(table.into, records.map(table.tuple))),
});

export type Work = (transaction: Transaction) => Promise<unknown>;

const begin = raw('BEGIN IMMEDIATE');
const commit = raw('COMMIT');

/** An IMMEDIATE transaction: a deferred one that reads first could not be turned into a writing one. */
export const commitWork = async <T>(
	transaction: Transaction,
	work: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
	await transaction.all(begin);
	try {
		const result = await work(transaction);
		await transaction.all(commit);
		return result;
	} catch (error) {
		// It may be gone already; either way none is open afterwards.
		await transaction.all(raw('ROLLBACK')).catch(() => undefined);
		throw error;
	}
};

/** One work among others of a transaction: it fails alone. Rejects when the whole transaction is lost. */
const runInSavepoint = async (transaction: Transaction, work: Work): Promise<PromiseSettledResult<unknown>> => {
	await transaction.all(raw('SAVEPOINT work'));
	try {
		const value = await work(transaction);
		await transaction.all(raw('RELEASE work'));
		return {status: 'fulfilled', value};
	} catch (reason) {
		// Rejects when SQLite has rolled back everything by itself (a full disk): then none of the works may count as done.
		await transaction.all(raw('ROLLBACK TO work'));
		await transaction.all(raw('RELEASE work'));
		return {status: 'rejected', reason};
	}
};

const runAll = async (transaction: Transaction, works: readonly Work[]) => {
	const [only] = works;
	if (works.length === 1 && only) return [{status: 'fulfilled', value: await only(transaction)} as const];
	const results: PromiseSettledResult<unknown>[] = [];
	for (const work of works) results.push(await runInSavepoint(transaction, work));
	return results;
};

/** All works in one transaction, each in its own savepoint, one commit for all. */
export const commitTogether = async (transaction: Transaction, works: readonly Work[]) =>
	commitWork(transaction, async () => runAll(transaction, works));
