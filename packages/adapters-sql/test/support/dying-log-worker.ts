import {parentPort, workerData} from 'node:worker_threads';
import {chooseDriver} from '../../src/drivers/choose-driver.ts';
import {raw} from '../../src/sql.ts';
import {connectSqlite} from '../../src/sqlite-connection.ts';
import {createWriteGate} from '../../src/write-gate.ts';
import type {WriterData} from '../../src/writer-protocol.ts';

/** A log worker that dies in the middle of a transaction, holding the gate and SQLite's lock. */
const {storage, driver, gate, place} = workerData as Extract<WriterData, {gate: unknown}>;
const connection = await connectSqlite({
	storage,
	driver: await chooseDriver(driver),
	gate: createWriteGate(gate, place),
	clockOffset: () => 0,
});
parentPort?.on('message', async () => {
	await connection.write(async (transaction) => {
		await transaction.run(raw(`UPDATE users SET name = 'half done'`));
		process.exit(7);
	});
});
parentPort?.postMessage('ready');
