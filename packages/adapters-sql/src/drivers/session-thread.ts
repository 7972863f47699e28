import {MessageChannel, type MessagePort, Worker} from 'node:worker_threads';
import type {Hosting, Session} from '../session.ts';
import {threadLimits} from '../thread-limits.ts';
import {workerFile} from '../worker-file.ts';

const threadUrl = workerFile(import.meta.url, './session-worker.ts', './session-worker.js');

/** A call of the session that the thread has. */
export type SessionCall = {
	[Method in keyof Session]: Readonly<{method: Method; args: Parameters<Session[Method]>}>;
}[keyof Session];

/** A service to be started in the thread. It is not answered: its port is. */
export type ServiceCall = Readonly<{method: 'host'; url: string; data: unknown; port: MessagePort}>;

/** One for the opening, then one for each call, in their order. An error crosses threads without its code. */
export type SessionAnswer = Readonly<{value: unknown}> | Readonly<{message: string; code: string | undefined}>;

type Pending = Readonly<{resolve(value: unknown): void; reject(error: Error): void}>;

const settle = ({resolve, reject}: Pending, answer: SessionAnswer): void => {
	if ('value' in answer) resolve(answer.value);
	else reject(Object.assign(new Error(answer.message), answer.code === undefined ? {} : {code: answer.code}));
};

const closed = (): Error => new Error('SQLITE_MISUSE: Database is closed');

const startThread = (storage: string) => {
	const options = {name: 'signalbox-sqlite', resourceLimits: threadLimits};
	const worker = new Worker(threadUrl, {workerData: storage, ...options});
	const pending: Pending[] = [];
	let ended = false;
	worker.on('message', (answer: SessionAnswer) => {
		const first = pending.shift();
		if (first) settle(first, answer);
		// Like an open file: it keeps no process alive by itself.
		if (pending.length === 0) worker.unref();
	});
	// The exit that follows says the same.
	worker.on('error', () => undefined);
	worker.on('exit', () => {
		ended = true;
		for (const {reject} of pending.splice(0)) reject(closed());
	});
	const answered = async (): Promise<unknown> =>
		new Promise((resolve, reject) => {
			if (pending.length === 0) worker.ref();
			pending.push({resolve, reject});
		});
	const call = async (message: SessionCall): Promise<unknown> => {
		if (ended) throw closed();
		worker.postMessage(message);
		return answered();
	};
	const host: Hosting['host'] = ({href}, data) => {
		const {port1, port2} = new MessageChannel();
		if (ended) port2.close();
		else worker.postMessage({method: 'host', url: href, data, port: port2} satisfies ServiceCall, [port2]);
		return port1;
	};
	const close = async (): Promise<void> => {
		if (ended) return;
		await call({method: 'close', args: []}).catch((error) => {
			if (!ended) throw error;
		});
	};
	return {answered, call, close, host, hasEnded: () => ended, end: async () => worker.terminate()};
};

/**
 * A session in a thread of its own, for a library whose statements hold up the thread they run on: a long list, the end of
 * a server with a million calls, a copy of everything or a slow disk stop nobody else.
 */
export const openSessionThread = async (storage: string): Promise<Session & Hosting> => {
	const {answered, call, close, host, hasEnded, end} = startThread(storage);
	await answered().catch(async (error) => {
		await end();
		throw error;
	});
	return {
		host,
		hasEnded,
		all: async (...args) => call({method: 'all', args}) as ReturnType<Session['all']>,
		run: async (...args) => call({method: 'run', args}) as ReturnType<Session['run']>,
		insert: async (...args) => call({method: 'insert', args}) as ReturnType<Session['insert']>,
		close,
	};
};
