import {parentPort, workerData} from 'node:worker_threads';
import {DomainError} from '@signalbox/core';
import {chooseDriver} from '../../drivers/choose-driver.ts';
import {prepareWriter} from '../../sqlite-settings.ts';
import {commitWork, transactionOn} from '../../transactions.ts';
import {createWriteGate} from '../../write-gate.ts';
import {type PackedGroup, unpackGroup} from './packed-group.ts';
import type {FromLogWorker, LogWorkerData, ToLogWorker} from './worker-protocol.ts';
import {writeCalls} from './write-calls.ts';

/** The thread that writes the call log: started by worker-writer, on the same file, library and gate. */
if (!parentPort) throw new Error('the log worker runs in a worker thread');
const port = parentPort;
const {storage, driver, gate, place} = workerData as LogWorkerData;

// Past Sequelize: what it adds to a statement costs several times what SQLite does with a row.
const session = await (await chooseDriver(driver)).openHere(storage);
await prepareWriter(session);
const transaction = transactionOn(session, () => 0);
const {run} = createWriteGate(gate, place);

const write = async (group: PackedGroup): Promise<FromLogWorker> => {
	try {
		const entries = unpackGroup(group);
		await run(async () => commitWork(transaction, async () => writeCalls(transaction, entries)));
		return 'written';
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return {reason: error instanceof DomainError ? error.reason : undefined, message};
	}
};

const close = async (): Promise<void> => {
	await session.close();
	port.close();
};

port.on('message', async (message: ToLogWorker) => {
	if (message === 'close') return close();
	port.postMessage(await write(message));
});
port.postMessage('ready' satisfies FromLogWorker);
