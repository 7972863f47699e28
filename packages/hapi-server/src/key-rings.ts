import {randomBytes} from 'node:crypto';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Ports} from '@signalbox/core';
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

/** The ring in the file; the first process to look writes it, readable by its own account only. */
const storedRing = async (dataDir: string, name: string): Promise<KeyRing> => {
	const path = join(dataDir, name);
	await mkdir(dataDir, {recursive: true, mode: 0o700});
	try {
		await writeFile(path, `${formatKeyRing(newRing())}\n`, {flag: 'wx', mode: 0o600});
	} catch (error) {
		if (!isTaken(error)) throw error;
	}
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

/** What to tell the operator when the store holds what no key of ours opens: a key file was lost, or left behind. */
export const missingKeyNotice = async (
	ports: Pick<Ports, 'variables' | 'cipher'>,
	ring: KeyRing,
): Promise<string[]> => {
	const [other] = await ports.variables.sealedOtherwise(ports.cipher.currentKid(), 1);
	if (other === undefined || ring.some(({kid}) => kid === other.value.kid)) return [];
	return [
		`Stored values are sealed with the master key ${other.value.kid}, which is not configured: they do not open.`,
	];
};
