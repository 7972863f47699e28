import {randomBytes} from 'node:crypto';
import {access, link, mkdir, open, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Core} from '@signalbox/core';
import {formatKeyRing, generateKey, type KeyRing, parseKeyRing} from '@signalbox/core/node';
import type {Config} from './config.ts';

/** A name that no other key has, so that a key which got lost is not taken for the one that replaced it. */
const newRing = (): KeyRing => [generateKey(`k-${randomBytes(6).toString('hex')}`)];

/** The server's own keys: the master keys seal, the token keys sign. */
export type KeyRings = Readonly<{master: KeyRing; jwt: KeyRing}>;

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
 * reads half a key, and nothing is sealed by a key that a power loss takes away.
 */
const makeRing = async (path: string): Promise<void> => {
	const draft = `${path}.${randomBytes(6).toString('hex')}`;
	try {
		await writeDurably(draft, `${formatKeyRing(newRing())}\n`);
		await link(draft, path);
	} catch (error) {
		if (!isTaken(error)) throw error;
	} finally {
		await rm(draft, {force: true});
	}
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The ring in the file; the first process to look writes it, readable by its own account only. */
const storedRing = async (dataDir: string, name: string): Promise<KeyRing> => {
	const path = join(dataDir, name);
	await mkdir(dataDir, {recursive: true, mode: 0o700});
	await access(path).catch(async (error) => {
		if (!isMissing(error)) throw error;
		await makeRing(path);
	});
	return readRing(path);
};

/** Keys from the configuration; where it has none, from files in DATA_DIR, or just for this run of a memory database. */
export const openKeyRings = async (config: Config): Promise<KeyRings> => {
	const ringFor = async (name: string): Promise<KeyRing> =>
		config.databaseUrl === 'sqlite::memory:' ? newRing() : storedRing(config.dataDir, name);
	return {
		master: config.masterKeys ?? (await ringFor('master.keys')),
		jwt: config.jwtKeys ?? (await ringFor('jwt.keys')),
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
