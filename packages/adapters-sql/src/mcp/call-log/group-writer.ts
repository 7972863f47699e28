import {type CallLog, DomainError, type McpCallEntry} from '@signalbox/core';
import {createGroupQueue} from '../../group-queue.ts';

/** Makes a group of entries durable: all of them, or it rejects and none is. */
export type WriteGroup = (entries: readonly McpCallEntry[]) => Promise<void>;

const maxEntries = 256;
const maxBytes = 8 * 1024 * 1024;

const bytesOf = ({request_body, response_body}: McpCallEntry): number =>
	request_body.byteLength + response_body.byteLength;

const isUnavailable = (error: unknown): boolean =>
	error instanceof DomainError && error.reason === 'service_unavailable';

/** One bad entry (an id that is logged already) must not take its neighbours with it. */
const writeEach = async (write: WriteGroup, entries: readonly McpCallEntry[]) => {
	const results: PromiseSettledResult<void>[] = [];
	for (const entry of entries) results.push(...(await Promise.allSettled([write([entry])])));
	return results;
};

/**
 * The call log over a way to write groups. One group is written at a time, and only its bodies are copied; what waits is
 * still the caller's memory, whose answer waits with it. So however fast calls come, no more than a group is held here.
 */
export const createGroupWriter = (write: WriteGroup): CallLog & Readonly<{drained(): Promise<void>}> => {
	const queue = createGroupQueue<McpCallEntry, void>(
		async (entries) => {
			try {
				await write(entries);
				return entries.map(() => ({status: 'fulfilled', value: undefined}));
			} catch (error) {
				if (isUnavailable(error) || entries.length === 1) throw error;
				return writeEach(write, entries);
			}
		},
		{max_items: maxEntries, max_weight: maxBytes, weigh: bytesOf},
	);
	return {append: queue.push, drained: queue.drained};
};
