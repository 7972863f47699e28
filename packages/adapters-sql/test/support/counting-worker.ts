import {readFileSync, writeFileSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {parentPort, workerData} from 'node:worker_threads';
import {createWriteGate} from '../../src/write-gate.ts';

export type CountingData = Readonly<{memory: SharedArrayBuffer; place: number; file: string; times: number}>;

/** Adds one to the number in a file, that often: read, let others run, write. Only the gate keeps it right. */
export const countUp = async ({memory, place, file, times}: CountingData): Promise<void> => {
	const gate = createWriteGate(memory, place);
	const addOne = async (): Promise<void> => {
		const value = Number(readFileSync(file, 'utf8'));
		await nextTurn();
		writeFileSync(file, String(value + 1));
	};
	await Promise.all(Array.from({length: times}, async () => gate.run(addOne)));
};

if (parentPort) await countUp(workerData as CountingData);
