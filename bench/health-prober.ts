import {setTimeout as pause} from 'node:timers/promises';
import {parentPort, workerData} from 'node:worker_threads';

/** Asks an address every few milliseconds until it is told to end, and then tells how many milliseconds each answer took. */
const {url} = workerData as Readonly<{url: string}>;
const taken: number[] = [];
let hasEnded = false;
parentPort?.once('message', () => {
	hasEnded = true;
});
while (!hasEnded) {
	const start = performance.now();
	await (await fetch(url)).text();
	taken.push(performance.now() - start);
	await pause(5);
}
parentPort?.postMessage(taken);
