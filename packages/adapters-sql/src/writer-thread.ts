import {once} from 'node:events';
import {type MessagePort, Worker} from 'node:worker_threads';
import {DomainError} from '@signalbox/core';
import type {Hosting} from './session.ts';
import {threadLimits} from './thread-limits.ts';
import {workerFile} from './worker-file.ts';
import {reservePlace, vacatePlace} from './write-gate.ts';
import type {FromWriter, ToWriter, WriterData, WriterFailure, WriterTarget} from './writer-protocol.ts';

const threadUrl = workerFile(import.meta.url, './service-worker.ts', './service-worker.js');

/** A thread that dies this often before it was ready is not started again. */
const maxFailedStarts = 3;

const closeDeadlineMs = 10_000;

/** A writer that was started. */
type Started = Readonly<{
	port: MessagePort | Worker;
	exited: Promise<unknown>;
	terminate(): void;
}>;

export type ThreadOptions = Readonly<{
	/** The file of its service (`Hosting`). */
	url: URL;
	/** Of the thread, if it has one of its own. */
	name: string;
	data: WriterTarget;
	/**
	 * The thread of a session that writes to the same file: another thread would mostly wait for it, and take 13 MiB. Default:
	 * one of its own.
	 */
	thread?: Hosting | undefined;
	/** What a message is rejected with when the thread ended before it answered. */
	interrupted: string;
}>;

export type WriterThread<M, A> = Readonly<{
	isReady(): boolean;
	/** `moved` are the buffers of the message that need not be copied. */
	call(message: M, moved?: readonly ArrayBuffer[]): Promise<A>;
	/** Resolves when the thread has ended. */
	close(): Promise<void>;
}>;

type Pending<A> = Readonly<{resolve(value: A): void; reject(error: Error): void}>;

const failureOf = ({reason, message, cause}: WriterFailure): Error => {
	if (reason === undefined) return new Error(message);
	return new DomainError(reason, {
		message,
		...(cause && {cause: Object.assign(new Error(cause.message), {code: cause.code})}),
	});
};

const settle = <A>(pending: Pending<A> | undefined, answer: Exclude<FromWriter<A>, 'ready'>): void => {
	if ('value' in answer) pending?.resolve(answer.value);
	else pending?.reject(failureOf(answer));
};

const inOwnThread = ({url: {href}, name}: ThreadOptions, data: WriterData): Started => {
	const worker = new Worker(threadUrl, {workerData: {url: href, data}, name, resourceLimits: threadLimits});
	// The exit that follows says the same.
	worker.on('error', () => undefined);
	const exited = new Promise((resolve) => worker.once('exit', resolve));
	return {port: worker, exited, terminate: () => void worker.terminate()};
};

const besideSession = ({host}: Hosting, {url}: ThreadOptions, data: WriterData): Started => {
	const port = host(url, data);
	return {port, exited: once(port, 'close'), terminate: () => port.close()};
};

const closeWriter = async ({port, exited, terminate}: Started): Promise<void> => {
	port.postMessage('close');
	const timer = setTimeout(terminate, closeDeadlineMs);
	await exited;
	clearTimeout(timer);
};

/** Starts a writer; `onExit` hears whether it ever was ready. */
const startThread = <M, A>(options: ThreadOptions, onExit: (wasReady: boolean) => void): WriterThread<M, A> => {
	const {data, thread, interrupted} = options;
	const place = 'gate' in data ? reservePlace(data.gate) : 0;
	const placed = {...data, place};
	const writer = thread ? besideSession(thread, options, placed) : inOwnThread(options, placed);
	const pending: Pending<A>[] = [];
	let ready = false;
	writer.port.on('message', (answer: FromWriter<A>) => {
		if (answer === 'ready') ready = true;
		else settle(pending.shift(), answer);
	});
	const exited = writer.exited.then(() => {
		if ('gate' in data) vacatePlace(data.gate, place);
		for (const {reject} of pending.splice(0)) reject(new DomainError('service_unavailable', {message: interrupted}));
		onExit(ready);
	});
	return {
		isReady: () => ready,
		call: async (message, moved = []) =>
			new Promise<A>((resolve, reject) => {
				// What cannot be sent throws here: nobody waits for an answer to it.
				writer.port.postMessage(message satisfies ToWriter<M>, [...moved]);
				pending.push({resolve, reject});
			}),
		close: async () => closeWriter({...writer, exited}),
	};
};

/**
 * A thread that writes, so that neither the binding of bodies nor the disk holds up the thread that answers. It is started
 * once `itemsBefore` items were written without it: a process that writes little needs no thread for it.
 */
export const createWriterThread = <M, A>(options: ThreadOptions, itemsBefore: number) => {
	let thread: WriterThread<M, A> | undefined;
	let failedStarts = 0;
	let written = 0;
	const start = (): WriterThread<M, A> =>
		startThread(options, (wasReady) => {
			thread = undefined;
			failedStarts = wasReady ? 0 : failedStarts + 1;
		});
	return {
		/** The thread for that many items; undefined while there is none that could write. */
		forItems: (items: number): WriterThread<M, A> | undefined => {
			written += items;
			// Whatever is written without it opens the session anew.
			if (options.thread?.hasEnded()) return undefined;
			if (written > itemsBefore && failedStarts < maxFailedStarts) thread ??= start();
			return thread?.isReady() ? thread : undefined;
		},
		close: async () => thread?.close(),
	};
};
