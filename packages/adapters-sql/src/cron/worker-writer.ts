import type {Connection} from '../connection.ts';
import {workerFile} from '../worker-file.ts';
import type {WriterData} from '../writer-protocol.ts';
import {createWriterThread} from '../writer-thread.ts';
import {fireGroup} from './fire-group.ts';
import type {TickWriter} from './ticks.store.ts';
import type {FiredGroup, FiringGroup} from './worker-protocol.ts';

const workerUrl = workerFile(import.meta.url, './worker.ts', './cron-worker.js');

const firingsBeforeWorker = 16;

/** On this thread, through the connection that writes everything else. */
export const fireHere =
	(connection: Connection): TickWriter =>
	async (firings) =>
		connection.write(async (transaction) => fireGroup(transaction, firings));

export type CronWorkerOptions = Readonly<{
	data: Omit<WriterData, 'place'>;
	/** Writes on this thread, while there is no worker that could. */
	fallback: TickWriter;
	clockOffset: () => number;
}>;

/** Fires in a thread of its own; until it is ready, on this thread. */
export const createCronWorker = ({
	data,
	fallback,
	clockOffset,
}: CronWorkerOptions): Readonly<{fire: TickWriter; close(): Promise<void>}> => {
	const interrupted = 'The firing of cron jobs was interrupted: whether it was kept is unknown.';
	const options = {url: workerUrl, name: 'signalbox-cron', data, interrupted};
	const {forItems, close} = createWriterThread<FiringGroup, FiredGroup>(options, firingsBeforeWorker);
	const fire: TickWriter = async (firings) => {
		const thread = forItems(firings.length);
		return thread === undefined ? fallback(firings) : thread.call({firings, offset_ms: clockOffset()});
	};
	return {fire, close};
};
