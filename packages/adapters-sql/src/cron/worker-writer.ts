import type {Fired, Firing} from '@signalbox/core';
import {alone} from '../alone.ts';
import type {Connection} from '../connection.ts';
import {createGroupQueue} from '../group-queue.ts';
import type {Hosting} from '../session.ts';
import {workerFile} from '../worker-file.ts';
import type {WriterTarget} from '../writer-protocol.ts';
import {createWriterThread} from '../writer-thread.ts';
import {fireTurns} from './fire-turns.ts';
import {packFirings} from './firing-turns.ts';
import type {TickWriter} from './ticks.store.ts';
import type {FiredGroup, FiringGroup} from './worker-protocol.ts';

const serviceUrl = workerFile(import.meta.url, './service.ts', './cron-service.js');

const firingsBeforeWorker = 16;

/** On this thread, through the connection that writes everything else. */
export const fireHere =
	(connection: Connection): TickWriter =>
	async (firings) => {
		const {turns, answers} = packFirings(firings);
		return answers(await connection.write(async (transaction) => fireTurns(transaction, turns)));
	};

export type CronWorkerOptions = Readonly<{
	data: WriterTarget;
	/** Writes on this thread, while there is no worker that could. */
	fallback: TickWriter;
	clockOffset: () => number;
	thread?: Hosting | undefined;
}>;

/** Firings of parallel calls that share a transaction: fewer pages are written again, and nobody else waits for long. */
const mostTogether = 2500;

/** Writes the firings of several calls as one group. */
const together =
	(fire: TickWriter) =>
	async (calls: readonly (readonly Firing[])[]): Promise<readonly (readonly Fired[])[]> => {
		const fired = await fire(calls.flat());
		let end = 0;
		return calls.map(({length}) => {
			end += length;
			return fired.slice(end - length, end);
		});
	};

/** Fires in a thread of its own; until it is ready, on this thread. */
export const createCronWorker = ({
	data,
	fallback,
	clockOffset,
	thread,
}: CronWorkerOptions): Readonly<{fire: TickWriter; close(): Promise<void>}> => {
	const interrupted = 'The firing of cron jobs was interrupted: whether it was kept is unknown.';
	const options = {url: serviceUrl, name: 'signalbox-cron', data, thread, interrupted};
	const {forItems, close} = createWriterThread<FiringGroup, FiredGroup>(options, firingsBeforeWorker);
	const write: TickWriter = async (firings) => {
		const thread = forItems(firings.length);
		if (thread === undefined) return fallback(firings);
		const {turns, answers} = packFirings(firings);
		return answers(await thread.call({turns, offset_ms: clockOffset()}));
	};
	const {push, drained} = createGroupQueue<readonly Firing[], readonly Fired[]>(alone(together(write)), {
		...{max_items: mostTogether, max_weight: mostTogether, weigh: (firings) => firings.length},
	});
	return {fire: push, close: () => drained().then(close)};
};
