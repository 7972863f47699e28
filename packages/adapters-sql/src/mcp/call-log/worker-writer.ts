import type {McpCallEntry} from '@signalbox/core';
import type {Hosting} from '../../session.ts';
import {createSpareMemory} from '../../spare-memory.ts';
import {workerFile} from '../../worker-file.ts';
import type {WriterTarget} from '../../writer-protocol.ts';
import {createWriterThread} from '../../writer-thread.ts';
import type {WriteGroup} from './group-writer.ts';
import {type PackedGroup, packGroup} from './packed-group.ts';

const serviceUrl = workerFile(import.meta.url, './service.ts', './call-log-service.js');

const entriesBeforeWorker = 16;

export type WorkerWriterOptions = Readonly<{
	data: WriterTarget;
	/** Writes on this thread, while there is no worker that could. */
	fallback: WriteGroup;
	thread?: Hosting | undefined;
	/** For tests. Default: the call log's own service. */
	url?: URL;
}>;

/** Writes groups in a thread of its own; until it is ready, on this thread. One group at a time. */
export const createWorkerWriter = ({
	data,
	fallback,
	thread,
	url = serviceUrl,
}: WorkerWriterOptions): Readonly<{write: WriteGroup; close(): Promise<void>}> => {
	const interrupted = 'The call log was interrupted: whether the call was logged is unknown.';
	const options = {url, name: 'signalbox-call-log', data, thread, interrupted};
	const {forItems, close} = createWriterThread<PackedGroup, ArrayBuffer>(options, entriesBeforeWorker);
	const memory = createSpareMemory();
	return {
		write: async (entries: readonly McpCallEntry[]) => {
			const thread = forItems(entries.length);
			if (thread === undefined) return fallback(entries);
			const group = packGroup(entries, memory);
			memory.giveBack(await thread.call(group, [group.bodies]));
		},
		close,
	};
};
