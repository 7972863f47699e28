import {closeSync, fdatasyncSync, openSync, statfsSync, writeSync} from 'node:fs';
import {availableParallelism, cpus} from 'node:os';
import {join} from 'node:path';
import {quantile} from '../quantile.ts';
import {makeDirectory, removeDirectory} from './processes.ts';

export type Machine = Readonly<{cores: number; cpu: string; node: string; fdatasync_p50_ms: number}>;

const tmpfs = 0x01021994;
const syncs = 300;

/** Median time of writing 4 KiB at the end of a file and having them on the disk. */
const measureSync = (parent: string): number => {
	const directory = makeDirectory(parent);
	const file = openSync(join(directory, 'synced'), 'w');
	const block = Buffer.alloc(4096, 1);
	const times: number[] = [];
	for (let index = 0; index < syncs; index += 1) {
		writeSync(file, block);
		const begun = performance.now();
		fdatasyncSync(file);
		times.push(performance.now() - begun);
	}
	closeSync(file);
	removeDirectory(directory);
	return quantile(times, 0.5);
};

/**
 * What is to be measured is what durable writes cost.
 * @param chosen_by what names the directory.
 * @throws Error when the directory is in memory.
 */
export const assertOnDisk = (directory: string, chosen_by: string): void => {
	if (statfsSync(directory).type === tmpfs) throw new Error(`${directory} is in memory: choose ${chosen_by} on a disk`);
};

/** @throws Error when the directory is in memory. */
export const describeMachine = (directory: string): Machine => {
	assertOnDisk(directory, '--dir');
	return {
		cores: availableParallelism(),
		cpu: cpus()[0]?.model ?? 'unknown',
		node: process.version,
		fdatasync_p50_ms: measureSync(directory),
	};
};
