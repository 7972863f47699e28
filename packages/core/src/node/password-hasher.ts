import {randomBytes} from 'node:crypto';
import {availableParallelism} from 'node:os';
import {hash, verify} from '@node-rs/argon2';
import type {PasswordHasher} from '../ports/index.ts';
import {createTaskQueue} from './task-queue.ts';

export type PasswordHasherOptions = Readonly<{
	/** Hashes computed at once. Each takes one of libuv's four threads, which file and database work share, and a core. */
	concurrency?: number;
	/** How many more may wait. */
	queue?: number;
	/** OWASP password storage cheat sheet: 19 MiB with 2 passes and 1 lane. */
	memoryKiB?: number;
	passes?: number;
}>;

type Cost = Readonly<{memoryKiB: number; passes: number}>;

const version = 0x13;
const saltBytes = 16;
const hashBytes = 32;
/** More lanes would start threads of their own, past the bound on concurrency. */
const lanes = 1;

/** One core stays free for everybody else's requests, also while logins flood in. */
const defaultConcurrency = Math.min(2, Math.max(1, availableParallelism() - 1));

const phcText = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/**
 * A hash that no password has, in the PHC format that the real ones have: verifying against it costs exactly one hash.
 */
export const unmatchableHash = ({memoryKiB, passes}: Cost): string =>
	`$argon2id$v=${version}$m=${memoryKiB},t=${passes},p=${lanes}$${phcText(saltBytes)}$${phcText(hashBytes)}`;

/** argon2id by @node-rs/argon2. See the port for its promises; defaults: 2 at once (1 on two cores or fewer), 64 waiting, 19 MiB, 2 passes. */
export const createPasswordHasher = ({
	concurrency = defaultConcurrency,
	queue = 64,
	memoryKiB = 19_456,
	passes = 2,
}: PasswordHasherOptions = {}): PasswordHasher => {
	const run = createTaskQueue({concurrency, queue, refusal: 'Too many sign-ins at once: try again in a moment.'});
	const cost = {memoryCost: memoryKiB, timeCost: passes, parallelism: lanes, outputLen: hashBytes};
	const nobodys = unmatchableHash({memoryKiB, passes});
	return {
		hash: (password) => run(() => hash(password, cost)),
		verify: async (password, known) => {
			const matches = await run(() => verify(known ?? nobodys, password));
			return matches && known !== undefined;
		},
	};
};
