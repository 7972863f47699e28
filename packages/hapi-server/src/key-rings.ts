import {randomBytes} from 'node:crypto';
import {access, link, mkdir, open, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Core, UserStore} from '@signalbox/core';
import {formatKeyRing, generateKey, type KeyRing, parseKeyRing} from '@signalbox/core/node';
import type {Config} from './config.ts';

/** A name that no other key has, so that a key which got lost is not taken for the one that replaced it. */
const newRing = (): KeyRing => [generateKey(`k-${randomBytes(6).toString('hex')}`)];

/** The server's own keys: the master keys seal, the token keys sign. */
export type KeyRings = Readonly<{
	master: KeyRing;
	jwt: KeyRing;
	/** Nothing that was signed before holds under the token keys: they were made just now. */
	jwt_is_new: boolean;
}>;

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

const readRing = async (path: string): Promise<KeyRing> => {
	try {
		return parseKeyRing((await readFile(path, 'utf8')).trim());
	} catch (error) {
		throw new Error(`${path}: ${(error as Error).message}`);
	}
};

const writeDurably = async (path: string, text: string): Promise<void> => {
	const file = await open(path, 'wx', 0o600);
	try {
		await file.writeFile(text);
		await file.sync();
	} finally {
		await file.close();
	}
};

/**
 * Gives the file a new ring, unless it has one. It appears whole and on the disk, or not at all: another process never
 * reads half a key, and nothing is sealed by a key that a power loss takes away. @returns whether it had none.
 */
const makeRing = async (path: string): Promise<boolean> => {
	const draft = `${path}.${randomBytes(6).toString('hex')}`;
	try {
		await writeDurably(draft, `${formatKeyRing(newRing())}\n`);
		await link(draft, path);
		return true;
	} catch (error) {
		if (!isTaken(error)) throw error;
		return false;
	} finally {
		await rm(draft, {force: true});
	}
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const isThere = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		(error) => {
			if (!isMissing(error)) throw error;
			return false;
		},
	);

type Found = Readonly<{ring: KeyRing; is_new: boolean}>;

const ofThisRun = (): Found => ({ring: newRing(), is_new: true});

/** The ring in the file; the first process to look writes it, readable by its own account only. */
const storedRing = async (dataDir: string, name: string): Promise<Found> => {
	const path = join(dataDir, name);
	await mkdir(dataDir, {recursive: true, mode: 0o700});
	const is_new = !(await isThere(path)) && (await makeRing(path));
	return {ring: await readRing(path), is_new};
};

/**
 * Keys from the configuration; where it has none, from files in DATA_DIR, or just for this run of a memory database.
 * @param serves Whether tokens are signed: who signs none makes no file for them, or the next start would not see that it is lost.
 */
export const openKeyRings = async (config: Config, serves = true): Promise<KeyRings> => {
	const isKept = config.databaseUrl !== 'sqlite::memory:';
	const ringFor = async (name: string): Promise<Found> => (isKept ? storedRing(config.dataDir, name) : ofThisRun());
	const tokenRing = async (): Promise<Found> =>
		serves || (await isThere(join(config.dataDir, 'jwt.keys'))) ? ringFor('jwt.keys') : ofThisRun();
	const jwt = config.jwtKeys === undefined ? await tokenRing() : {ring: config.jwtKeys, is_new: false};
	return {
		master: config.masterKeys ?? (await ringFor('master.keys')).ring,
		jwt: jwt.ring,
		jwt_is_new: jwt.is_new,
	};
};

/** Enough of each kind to see that a key is missing. */
const looks = 20;

/** What to tell the operator when the store holds what no key of ours opens: a key file was lost, or left behind. */
export const missingKeyNotice = async ({environment}: Pick<Core, 'environment'>): Promise<string[]> => {
	const unopened = await environment.keyRotation.check(looks);
	if (unopened.length === 0) return [];
	const once = (names: readonly string[]) => [...new Set(names)].join(', ');
	const kinds = once(unopened.map(({kind}) => `${kind}s`));
	const kids = once(unopened.map(({kid}) => kid));
	return [
		`Secrets of ${kinds} are sealed with the master key ${kids}, and do not open with the keys that are set: put that key back (SIGNALBOX_MASTER_KEYS, or master.keys in DATA_DIR) and start again.`,
	];
};

/** The same of token keys that had to be made although there are accounts, whose tokens they do not verify. */
export const newTokenKeyNotice = async (users: Pick<UserStore, 'all'>, {jwt_is_new}: KeyRings): Promise<string[]> => {
	if (!jwt_is_new || (await users.all()).length === 0) return [];
	return [
		'There are accounts, but no key that signs their access tokens: one was made. What was signed before (access tokens, calls on hold) does not hold any more. If a key was lost or left behind, put it back (SIGNALBOX_JWT_KEYS, or jwt.keys in DATA_DIR) and start again.',
	];
};
