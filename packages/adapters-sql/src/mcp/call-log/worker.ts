import {parentPort, workerData} from 'node:worker_threads';
import {DomainError} from '@signalbox/core';
import {chooseDriver} from '../../drivers/choose-driver.ts';
import {connectSqlite} from '../../sqlite-connection.ts';
import {createWriteGate} from '../../write-gate.ts';
import {type PackedGroup, unpackGroup} from './packed-group.ts';
import type {FromLogWorker, LogWorkerData, ToLogWorker} from './worker-protocol.ts';
import {writeCalls} from './write-calls.ts';

/** The thread that writes the call log: started by worker-writer, on the same file, library and gate. */
if (!parentPort) throw new Error('the log worker runs in a worker thread');
const port = parentPort;
const {storage, driver, gate, place} = workerData as LogWorkerData;

const connection = await connectSqlite({
	storage,
	driver: await chooseDriver(driver),
	gate: createWriteGate(gate, place),
	clockOffset: () => 0,
});

const write = async (group: PackedGroup): Promise<FromLogWorker> => {
	try {
		await writeCalls(connection, unpackGroup(group));
		return 'written';
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return {reason: error instanceof DomainError ? error.reason : undefined, message};
	}
};

const close = async (): Promise<void> => {
	await connection.close();
	port.close();
};

port.on('message', async (message: ToLogWorker) => {
	if (message === 'close') return close();
	port.postMessage(await write(message));
});
port.postMessage('ready' satisfies FromLogWorker);
