import {constants, type Stats} from 'node:fs';
import {lstat, mkdir, open, stat} from 'node:fs/promises';
import {dirname} from 'node:path';

const root = 0;
const othersMayWrite = 0o022;
const sticky = 0o1000;

/** This account, where accounts have numbers. */
const ownAccount = (): number | undefined => process.getuid?.();

/** What lets another account change it, or undefined. */
const writerProblem = ({uid, mode}: Stats): string | undefined => {
	if ((mode & othersMayWrite) !== 0) return 'others may write to it: chmod go-w';
	return [root, ownAccount()].includes(uid) ? undefined : 'it belongs to another account: chown it to root';
};

const refuse = (path: string, problem: string | undefined): void => {
	if (problem !== undefined) throw new Error(`${path}: ${problem}`);
};

/** In a sticky folder like /tmp only the owner of a file replaces it. */
const refuseReplaceable = async (path: string): Promise<void> => {
	const folder = dirname(path);
	const stats = await stat(folder);
	refuse(folder, (stats.mode & sticky) === 0 ? writerProblem(stats) : undefined);
};

/**
 * Reads a text file that only root and this account can change, or replace in its folder.
 * @throws Error that names the path, when there is none, when it is no file, or when somebody else could change it.
 */
export const readProtectedFile = async (path: string): Promise<string> => {
	await refuseReplaceable(path);
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	try {
		const stats = await file.stat();
		refuse(path, stats.isFile() ? writerProblem(stats) : 'it is no file');
		return await file.readFile('utf8');
	} finally {
		await file.close();
	}
};

/** Makes a folder that only this account can read. @throws Error when there is one already that others can change. */
export const makePrivateFolder = async (path: string): Promise<void> => {
	await mkdir(path, {recursive: true, mode: 0o700});
	const stats = await lstat(path);
	refuse(path, stats.isDirectory() ? writerProblem(stats) : 'it is no folder');
};
