import type {CallLog} from '@signalbox/core';
import type {Connection} from './connection.ts';
import {createCronWorker, fireHere} from './cron/worker-writer.ts';
import {appendCallsHere} from './mcp/call-log/append-calls.ts';
import {createGroupWriter, type WriteGroup} from './mcp/call-log/group-writer.ts';
import {createWorkerWriter} from './mcp/call-log/worker-writer.ts';
import {rowOf, writeCalls} from './mcp/call-log/write-calls.ts';
import type {Hosting} from './session.ts';
import type {FastWriters} from './stores.ts';
import {createGroupedWriter} from './webhook/grouped-writer.ts';
import {createWebhookWorker} from './webhook/worker-writer.ts';
import {writeWebhooksHere} from './webhook/writer.ts';
import type {WriterTarget} from './writer-protocol.ts';

type Log = CallLog & Readonly<{close(): Promise<void>}>;

export type OpenWriters = Readonly<{
	writers: FastWriters;
	/** Writes what waits, and ends their threads. */
	drain(): Promise<void>;
}>;

/** On this thread, through that connection. */
export const writeCallsHere = (connection: Connection): WriteGroup =>
	connection.dialect.foldsLater
		? appendCallsHere(connection)
		: async (entries) => writeCalls(connection.write, entries.map(rowOf));

/** For a driver that waits for the disk without holding up its thread: a second thread would only be two more to wake. */
export const localLog = (connection: Connection): Log => {
	const {append, drained} = createGroupWriter(writeCallsHere(connection));
	return {append, close: drained};
};

/** For a driver that holds up its thread while it waits. */
export const threadedLog = (connection: Connection, data: WriterTarget, thread: Hosting | undefined): Log => {
	const writer = createWorkerWriter({data, thread, fallback: writeCallsHere(connection)});
	const {append, drained} = createGroupWriter(writer.write);
	return {
		append,
		close: async () => {
			await drained();
			await writer.close();
		},
	};
};

/** All on this thread: for a database that no other thread can open. */
export const createLocalWriters = (connection: Connection): OpenWriters => {
	const callLog = localLog(connection);
	const webhooks = createGroupedWriter(writeWebhooksHere(connection));
	return {
		writers: {callLog, webhooks, fire: fireHere(connection)},
		drain: async () => {
			await Promise.all([callLog.close(), webhooks.drained()]);
		},
	};
};

export type ThreadedWriters = Readonly<{
	connection: Connection;
	/** What the threads open. */
	data: WriterTarget;
	clockOffset: () => number;
	callLog: Log;
	/** The thread of the session that `connection` writes through, where it has one. */
	thread?: Hosting | undefined;
}>;

/** Webhooks and ticks in another thread, once there is much to write. */
export const createThreadedWriters = ({
	connection,
	data,
	clockOffset,
	callLog,
	thread,
}: ThreadedWriters): OpenWriters => {
	const worker = createWebhookWorker({data, thread, fallback: writeWebhooksHere(connection), clockOffset});
	const webhooks = createGroupedWriter(worker.write);
	const cron = createCronWorker({data, thread, fallback: fireHere(connection), clockOffset});
	return {
		writers: {callLog, webhooks, fire: cron.fire},
		drain: async () => {
			await Promise.all([callLog.close(), webhooks.drained().then(worker.close), cron.close()]);
		},
	};
};
