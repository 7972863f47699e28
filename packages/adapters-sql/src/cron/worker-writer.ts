import type {Fired, Firing} from '@signalbox/core';
import {alone} from '../alone.ts';
import type {Connection} from '../connection.ts';
import {createGroupQueue} from '../group-queue.ts';
import type {Hosting} from '../session.ts';
import {workerFile} from '../worker-file.ts';
import type {WriterTarget} from '../writer-protocol.ts';
import {besideSession, createWriterThread} from '../writer-thread.ts';
import {fireTurns} from './fire-turns.ts';
import {packFirings} from './firing-turns.ts';
import type {TickWriter} from './ticks.store.ts';
import type {FiredGroup, FiringGroup} from './worker-protocol.ts';

const serviceUrl = workerFile(import.meta.url, './service.ts', './cron-service.js');

const firingsBeforeService = 16;

/** On this thread, through the connection that writes everything else. */
export const fireHere =
	(connection: Connection): TickWriter =>
	async (firings) => {
		const {turns, answers} = packFirings(firings);
		return answers(await connection.write(async (transaction) => fireTurns(transaction, turns)));
	};

export type CronWriterOptions = Readonly<{
	data: WriterTarget;
	/** Where it fires, once there is much to fire. Default: by `fallback`. */
	thread: Hosting | undefined;
	/** Writes on this thread, while nobody else could. */
	fallback: TickWriter;
	clockOffset: () => number;
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

/** Fires beside a session that writes anyway: two that write to one file would wait for each other in two threads. */
const fireBeside = (thread: Hosting, {data, fallback, clockOffset}: CronWriterOptions) => {
	const interrupted = 'The firing of cron jobs was interrupted: whether it was kept is unknown.';
	const options = {start: besideSession(thread, serviceUrl), data, interrupted};
	const {forItems, close} = createWriterThread<FiringGroup, FiredGroup>(options, firingsBeforeService);
	const fire: TickWriter = async (firings) => {
		const service = forItems(firings.length);
		if (service === undefined) return fallback(firings);
		const {turns, answers} = packFirings(firings);
		return answers(await service.call({turns, offset_ms: clockOffset()}));
	};
	return {fire, close};
};

/** Fires in groups of all that waits. */
export const createCronWriter = (options: CronWriterOptions): Readonly<{fire: TickWriter; close(): Promise<void>}> => {
	const {thread, fallback} = options;
	const {fire, close} = thread ? fireBeside(thread, options) : {fire: fallback, close: async () => undefined};
	const {push, drained} = createGroupQueue<readonly Firing[], readonly Fired[]>(alone(together(fire)), {
		...{max_items: mostTogether, max_weight: mostTogether, weigh: (firings) => firings.length},
	});
	return {fire: push, close: async () => drained().then(close)};
};
