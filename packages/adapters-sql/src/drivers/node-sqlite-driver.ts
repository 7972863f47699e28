import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Session} from '../session.ts';
import type {SqliteDriver} from './driver.ts';
import {openSessionThread} from './session-thread.ts';

/** Each call in a turn of its own, as with sqlite3: a chain of statements must not keep the event loop from turning. */
const inTurns = ({all, run, insert, close}: Session): Session => ({
	all: async (...args) => nextTurn().then(async () => all(...args)),
	run: async (...args) => nextTurn().then(async () => run(...args)),
	insert: async (...args) => nextTurn().then(async () => insert(...args)),
	close,
});

/** The SQLite inside Node. Loaded only when asked for: a Node can be built without it. */
export const loadNodeSqlite = async (): Promise<SqliteDriver> => {
	const {openNodeSession} = await import('./node-sqlite-session.ts');
	return {
		name: 'node:sqlite',
		// A thread has no part in a database in memory, which is gone with its connection.
		open: async (storage) =>
			storage === ':memory:' ? inTurns(await openNodeSession(storage)) : openSessionThread(storage),
		openHere: openNodeSession,
	};
};
