import type {Session} from './session.ts';
import {raw} from './sql.ts';

/** Milliseconds that other processes that write are waited for. */
const busyTimeout = 'busy_timeout = 10000';

/** 4 MiB of 4 KiB pages: a larger log makes the write that must fold it back stall. */
const checkpointPages = 1024;

/** KiB. What does not fit is written before its commit, and once more when it changes again. */
const burstCache = 5120;

/** 32 MiB: as much as thousands of cron jobs that are due at once write. */
const burstPages = 8 * checkpointPages;

const set = async (session: Session, pragmas: readonly string[]): Promise<void> => {
	for (const pragma of pragmas) await session.all(raw(`PRAGMA ${pragma}`));
};

/** What a connection needs that reads a file. It changes nothing, whatever it is asked. */
export const prepareReader = async (session: Session): Promise<void> => set(session, [busyTimeout, 'query_only = ON']);

/** What a connection needs that writes: what it committed is on the disk, and what belongs to a row goes with it. */
export const prepareWriter = async (session: Session): Promise<void> =>
	set(session, [
		busyTimeout,
		'synchronous = FULL',
		'foreign_keys = ON',
		`wal_autocheckpoint = ${checkpointPages}`,
		`journal_size_limit = ${checkpointPages * 4096}`,
	]);

/** The busy timeout does not cover this change of mode while another one writes. */
export const enableWal = async (session: Session): Promise<void> => set(session, ['journal_mode = WAL']);

/** For a connection that writes in bursts and folds the log back after each (`foldBack`): none stalls in between. */
export const prepareBursts = async (session: Session): Promise<void> =>
	set(session, [`wal_autocheckpoint = ${burstPages}`, `cache_size = -${burstCache}`]);

/** Folds back what is in the log, as far as nobody reads it. Others read and write meanwhile. */
export const foldBack = async (session: Session): Promise<void> => set(session, ['wal_checkpoint(PASSIVE)']);
