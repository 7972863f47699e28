import {openDatabase} from '@signalbox/adapters-sql';
import type {McpServerRecord} from '@signalbox/core';
import {buildCallEntry} from '@signalbox/core/testing';

/** Logs calls without end, 24 at a time, and prints the id of each as soon as its append has resolved. */
const [file, server] = process.argv.slice(2);
const database = await openDatabase({url: `sqlite:${file}`});
const body = new TextEncoder().encode('x'.repeat(1000));
/** Waits for the reader, who may be slower than the log. */
const print = async (line: string) => new Promise((written) => process.stdout.write(line, written));

const logWithoutEnd = async (): Promise<void> => {
	for (;;) {
		const entry = buildCallEntry({
			server: JSON.parse(String(server)) as McpServerRecord,
			request_body: body,
			response_body: body,
		});
		await database.stores.callLog.append(entry);
		await print(`${entry.id}\n`);
	}
};
await Promise.all(Array.from({length: 24}, logWithoutEnd));
