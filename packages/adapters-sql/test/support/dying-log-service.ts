import type {MessagePort} from 'node:worker_threads';
import {chooseDriver} from '../../src/drivers/choose-driver.ts';
import {raw} from '../../src/sql.ts';
import {connectSqlite} from '../../src/sqlite-connection.ts';
import {createWriteGate} from '../../src/write-gate.ts';
import type {WriterData} from '../../src/writer-protocol.ts';

/** A log service that dies in the middle of a transaction, holding the gate and SQLite's lock. */
export const serve = async (port: MessagePort, data: WriterData): Promise<void> => {
	const {storage, driver, gate, place} = data as Extract<WriterData, {gate: unknown}>;
	const connection = await connectSqlite({
		storage,
		driver: await chooseDriver(driver),
		gate: createWriteGate(gate, place),
		clockOffset: () => 0,
	});
	port.on('message', async () => {
		await connection.write(async (transaction) => {
			await transaction.run(raw(`UPDATE users SET name = 'half done'`));
			process.exit(7);
		});
	});
	port.postMessage('ready');
};
