import {createHash} from 'node:crypto';
import type {Transaction} from '../connection.ts';

/** Few, so that a batch takes few locks; more than threads that write at once, so that these seldom meet. */
const shards = 64;

const shardOf = (destination_key: string): number =>
	createHash('sha1').update(destination_key).digest().readUInt32BE(0) % shards;

const lock = async (transaction: Transaction, numbers: readonly number[]): Promise<boolean> => {
	const statement = transaction.dialect.lockNumbers('webhook_lane_locks', numbers);
	if (statement === undefined) return false;
	await transaction.later(statement);
	return true;
};

const all = Array.from({length: shards}, (_, number) => number);

/** Who will lock lanes more than once does this first: two who took theirs in turns would wait for each other. */
export const lockAllLanes = async (transaction: Transaction): Promise<void> => {
	await lock(transaction, all);
};

/**
 * Whoever counts the leases of destinations in order to add to them, in whatever process, does so alone until the end of
 * the transaction. @returns whether anybody else could have: then what was read before is to be read again.
 */
export const lockLanes = async (transaction: Transaction, destination_keys: readonly string[]): Promise<boolean> => {
	if (destination_keys.length === 0) return false;
	return lock(
		transaction,
		[...new Set(destination_keys.map(shardOf))].sort((a, b) => a - b),
	);
};
