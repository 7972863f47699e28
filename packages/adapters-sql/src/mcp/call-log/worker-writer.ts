import {Worker} from 'node:worker_threads';
import {DomainError, type McpCallEntry} from '@signalbox/core';
import {reservePlace, vacatePlace} from '../../write-gate.ts';
import type {WriteGroup} from './group-writer.ts';
import {packGroup} from './packed-group.ts';
import type {FromLogWorker, LogWorkerData, ToLogWorker} from './worker-protocol.ts';

/** The worker's file: beside this one in the sources, beside the bundle when it is built. */
const workerUrl = import.meta.url.endsWith('.ts')
	? new URL('./worker.ts', import.meta.url)
	: new URL('./call-log-worker.js', import.meta.url);

/** Entries written on this thread before there is a worker: a process that logs nothing or little needs no thread for it. */
const entriesBeforeWorker = 16;

/** A worker that dies this often before it wrote anything is not started again. */
const maxFailedStarts = 3;

const closeDeadlineMs = 10_000;

export type WorkerWriterOptions = Readonly<{
	data: Omit<LogWorkerData, 'place'>;
	/** Writes on this thread, while there is no worker that could. */
	fallback: WriteGroup;
	/** For tests. Default: the call log's own worker. */
	url?: URL;
}>;

type Pending = Readonly<{resolve(): void; reject(error: Error): void}>;

type LogWorker = Readonly<{
	isReady(): boolean;
	write: WriteGroup;
	/** Resolves when the thread has ended. */
	close(): Promise<void>;
}>;

const failureOf = ({reason, message}: Exclude<FromLogWorker, string>): Error =>
	reason === undefined ? new Error(message) : new DomainError(reason, {message});

const gone = (): DomainError =>
	new DomainError('service_unavailable', {
		message: 'The call log was interrupted: whether the call was logged is unknown.',
	});

/** The group that the worker has, until it is answered. */
const createPending = () => {
	let pending: Pending | undefined;
	const take = (): Pending | undefined => {
		const taken = pending;
		pending = undefined;
		return taken;
	};
	return {
		expect: async (send: () => void) =>
			new Promise<void>((resolve, reject) => {
				pending = {resolve, reject};
				send();
			}),
		resolve: () => take()?.resolve(),
		reject: (error: Error) => take()?.reject(error),
	};
};

const closeWorker = async (worker: Worker, exited: Promise<unknown>): Promise<void> => {
	worker.postMessage('close' satisfies ToLogWorker);
	const timer = setTimeout(() => void worker.terminate(), closeDeadlineMs);
	await exited;
	clearTimeout(timer);
};

/** Starts a worker; `onExit` hears whether it ever was ready. */
const startWorker = ({data, url = workerUrl}: WorkerWriterOptions, onExit: (wasReady: boolean) => void): LogWorker => {
	const place = reservePlace(data.gate);
	const worker = new Worker(url, {workerData: {...data, place} satisfies LogWorkerData, name: 'signalbox-call-log'});
	const pending = createPending();
	let ready = false;
	worker.on('message', (message: FromLogWorker) => {
		if (message === 'ready') ready = true;
		else if (message === 'written') pending.resolve();
		else pending.reject(failureOf(message));
	});
	// The exit that follows says the same.
	worker.on('error', () => undefined);
	const exited = new Promise((resolve) => worker.once('exit', resolve)).then(() => {
		vacatePlace(data.gate, place);
		pending.reject(gone());
		onExit(ready);
	});
	return {
		isReady: () => ready,
		write: async (entries) => {
			const group = packGroup(entries);
			await pending.expect(() => worker.postMessage(group satisfies ToLogWorker, [group.bodies]));
		},
		close: async () => closeWorker(worker, exited),
	};
};

/**
 * Writes groups in a thread of its own, so that neither the binding of bodies nor the disk holds up the thread that
 * answers. It is started when there is something to do; until it is ready, groups are written on this thread. One group at a time.
 */
export const createWorkerWriter = (
	options: WorkerWriterOptions,
): Readonly<{write: WriteGroup; close(): Promise<void>}> => {
	let worker: LogWorker | undefined;
	let failedStarts = 0;
	let written = 0;
	const start = (): LogWorker =>
		startWorker(options, (wasReady) => {
			worker = undefined;
			failedStarts = wasReady ? 0 : failedStarts + 1;
		});
	return {
		write: async (entries: readonly McpCallEntry[]) => {
			written += entries.length;
			if (written > entriesBeforeWorker && failedStarts < maxFailedStarts) worker ??= start();
			return worker?.isReady() ? worker.write(entries) : options.fallback(entries);
		},
		close: async () => worker?.close(),
	};
};
