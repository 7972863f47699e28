import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {formatKeyRing, generateKey, type KeyRing, parseKeyRing} from '@signalbox/core/node';
import type {Config} from './config.ts';

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

/** The ring in the file; the first process to look writes it, readable by its own account only. */
const storedRing = async (dataDir: string, name: string): Promise<KeyRing> => {
	const path = join(dataDir, name);
	await mkdir(dataDir, {recursive: true, mode: 0o700});
	try {
		await writeFile(path, `${formatKeyRing([generateKey('k1')])}\n`, {flag: 'wx', mode: 0o600});
	} catch (error) {
		if (!isTaken(error)) throw error;
	}
	return readRing(path);
};

/** Keys from the configuration; where it has none, from files in DATA_DIR, or just for this run of a memory database. */
export const openKeyRings = async (config: Config): Promise<KeyRings> => {
	const ringFor = async (name: string): Promise<KeyRing> =>
		config.databaseUrl === 'sqlite::memory:' ? [generateKey('k1')] : storedRing(config.dataDir, name);
	return {
		master: config.masterKeys ?? (await ringFor('master.keys')),
		jwt: config.jwtKeys ?? (await ringFor('jwt.keys')),
	};
};
