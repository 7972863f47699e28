import type {CallLog, McpCallEntry} from '@signalbox/core';
import {alone} from '../../alone.ts';
import {createGroupQueue} from '../../group-queue.ts';

/** Makes a group of entries durable: all of them, or it rejects and none is. */
export type WriteGroup = (entries: readonly McpCallEntry[]) => Promise<void>;

const maxEntries = 256;
const maxBytes = 8 * 1024 * 1024;

const bytesOf = ({request_body, response_body}: McpCallEntry): number =>
	request_body.byteLength + response_body.byteLength;

/**
 * The call log over a way to write groups. One group is written at a time, and only its bodies are copied; what waits is
 * still the caller's memory, whose answer waits with it. So however fast calls come, no more than a group is held here.
 */
export const createGroupWriter = (write: WriteGroup): CallLog & Readonly<{drained(): Promise<void>}> => {
	const queue = createGroupQueue<McpCallEntry, void>(
		// One bad entry (an id that is logged already) must not take its neighbours with it.
		alone(async (entries) => {
			await write(entries);
			return entries.map(() => undefined);
		}),
		{max_items: maxEntries, max_weight: maxBytes, weigh: bytesOf},
	);
	return {append: queue.push, drained: queue.drained};
};
