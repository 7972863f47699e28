import {readdir, readFile} from 'node:fs/promises';
import {platform} from 'node:os';
import {tagName} from './attempt.ts';

/** A process that lives. `started` tells it from a later one with the same id: clock ticks since the machine started. */
type Process = Readonly<{pid: number; group: number; started: string}>;

/** What has ended meanwhile, and what belongs to somebody else, cannot be read and is of no interest. */
const readOrNothing = async (path: string): Promise<string> => {
	try {
		return await readFile(path, 'latin1');
	} catch {
		return '';
	}
};

/** @see proc_pid_stat(5): the name, in parentheses, may hold anything; `state ppid pgrp` follow, and the start as the 22nd field. */
const parseStat = (pid: number, stat: string): Process | undefined => {
	const [state = '', , group = '', ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const started = others[16];
	return started === undefined || 'ZX'.includes(state) ? undefined : {pid, group: Number(group), started};
};

const readProcess = async (pid: number): Promise<Process | undefined> =>
	parseStat(pid, await readOrNothing(`/proc/${pid}/stat`));

/** Ids of all processes. Empty where there is no /proc. */
const listPids = async (): Promise<readonly number[]> => {
	if (platform() !== 'linux') return [];
	return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
};

/** So many files are open at once: fewer than a process may have. */
const batch = 64;

const collect = async (find: (pid: number) => Promise<number | undefined>): Promise<readonly number[]> => {
	const pids = await listPids();
	const found: (number | undefined)[] = [];
	for (let at = 0; at < pids.length; at += batch)
		found.push(...(await Promise.all(pids.slice(at, at + batch).map(find))));
	return found.filter((each) => each !== undefined);
};

/** When a process started, for as long as it lives; undefined when it does not, or where it cannot be told (not Linux). */
export const startOf = async (pid: number): Promise<string | undefined> => (await readProcess(pid))?.started;

/** A process as it is written down, to be told from later ones with the same id. */
export type KnownProcess = Readonly<{pid: number; started?: string | undefined}>;

/** Whether that very process lives: ids are used again, ids with a start time are not. */
export const isStillAlive = async ({pid, started}: KnownProcess): Promise<boolean> =>
	started !== undefined && (await startOf(pid)) === started;

/** What tells this run of the machine from the next one; undefined where it cannot be told (not Linux). */
export const readBootId = async (): Promise<string | undefined> =>
	(await readOrNothing('/proc/sys/kernel/random/boot_id')).trim() || undefined;

/**
 * The processes that were started with that tag in their environment, wherever they went since; not this one. Empty where
 * environments cannot be read (not Linux), and without those that cleared theirs or run as another account.
 */
export const findTagged = async (tag: string): Promise<readonly number[]> => {
	const entry = `\0${tagName}=${tag}\0`;
	return collect(async (pid) => {
		if (pid === process.pid || !`\0${await readOrNothing(`/proc/${pid}/environ`)}`.includes(entry)) return undefined;
		return (await readProcess(pid))?.pid;
	});
};

/** Sends a signal to a process, or with a negative number to a group. @returns false when nobody is there to take it. */
export const sendSignal = (pid: number, signal: NodeJS.Signals | 0): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};

/** Whether anybody in the group lives. One that ended and was not yet waited for (a zombie) does not, where that can be told. */
export const isGroupAlive = async (group: number): Promise<boolean> => {
	if (!sendSignal(-group, 0)) return false;
	if (platform() !== 'linux') return true;
	const members = await collect(async (pid) => ((await readProcess(pid))?.group === group ? pid : undefined));
	return members.length > 0;
};
