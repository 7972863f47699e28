import type {MessagePort} from 'node:worker_threads';
import {threadId} from 'node:worker_threads';

/** Says what it was started with, what it is told, and where it is; ends when it is told `close`, and its thread at `die`. */
export const serve = async (port: MessagePort, data: unknown): Promise<void> => {
	port.on('message', (message) => {
		if (message === 'die') process.exit(7);
		if (message === 'close') port.close();
		else port.postMessage({data, message, threadId});
	});
};
