import {setTimeout as pause} from 'node:timers/promises';
import type {Presence} from './presence.ts';
import type {Session} from './session.ts';
import {raw, type Sql} from './sql.ts';
import {translateError} from './translate-error.ts';

/** Milliseconds between two attempts, while another process still does what one alone does. */
const betweenAttempts = 20;

const take = async (session: Session, lock: readonly Sql[]): Promise<boolean> => {
	try {
		for (const statement of lock) await session.all(statement);
		return true;
	} catch (thrown) {
		await session.all(raw('ROLLBACK')).catch(() => undefined);
		if (thrown instanceof Error && thrown.message.includes('SQLITE_BUSY')) return false;
		throw translateError(thrown);
	}
};

const alone = [raw('BEGIN EXCLUSIVE')];
/** What was read stays locked as long as its transaction lasts, and nobody ends this one. */
const present = [raw('BEGIN'), raw('SELECT name FROM sqlite_master')];

const enterWith = async (session: Session, work: () => Promise<void>): Promise<void> => {
	await session.all(raw('PRAGMA busy_timeout = 0'));
	if (await take(session, alone)) {
		await work();
		await session.all(raw('COMMIT'));
	}
	while (!(await take(session, present))) await pause(betweenAttempts);
};

/**
 * Each process that is at work holds a lock on a file beside the database, which the operating system takes back when the
 * process ends, however it ends.
 * @param open Opens the file to lock: an empty database of its own, which stays when nobody holds it.
 */
export const createFilePresence = (open: () => Promise<Session>): Presence => {
	let entered: Promise<Session> | undefined;
	return {
		enter: async (work) => {
			entered ??= open().then(async (session) => {
				await enterWith(session, work).catch(async (error) => {
					await session.close();
					throw error;
				});
				return session;
			});
			// Whoever failed to enter may try again.
			await entered.catch((error: unknown) => {
				entered = undefined;
				throw error;
			});
		},
		leave: async () => {
			const session = await entered?.catch(() => undefined);
			await session?.close();
		},
	};
};
