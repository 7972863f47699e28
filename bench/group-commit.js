/**
 * The least that writes durably for many at once: rows go to a thread, which writes all that came while it was busy as one
 * transaction. What this cannot reach, no program on Node and SQLite can that keeps what it answers.
 */
import {DatabaseSync} from 'node:sqlite';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';

/** The bytes of a row stand together in one piece of memory for all rows, which is moved instead of copied. */
const pack = (rows) => {
	const pieces = [];
	let size = 0;
	const places = rows.map((row) =>
		row.map((value) => {
			if (!(value instanceof Uint8Array)) return value;
			pieces.push(value);
			size += value.length;
			return {at: size - value.length, length: value.length};
		}),
	);
	const bytes = new Uint8Array(size);
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return {rows: places, bytes};
};

const unpacked = (value, bytes) =>
	typeof value === 'object' && value !== null ? bytes.subarray(value.at, value.at + value.length) : value;

/**
 * @param {{file: string, schema: string, statements: readonly string[]}} database
 * @returns writes rows, each the number of a statement and its values; calls back once they are on the disk.
 */
export const startGroupCommit = (database) => {
	const worker = new Worker(new URL(import.meta.url), {workerData: database});
	let waiting = [];
	let written = [];
	const begin = () => {
		written = waiting;
		waiting = [];
		const packed = pack(written.flatMap(({rows}) => rows));
		worker.postMessage(packed, [packed.bytes.buffer]);
	};
	worker.on('message', () => {
		const done = written;
		written = [];
		if (waiting.length > 0) begin();
		for (const {call} of done) call();
	});
	return (rows, call) => {
		waiting.push({rows, call});
		// What comes in the same turn of the event loop shares a commit.
		if (written.length === 0 && waiting.length === 1) setImmediate(begin);
	};
};

const write = () => {
	const {file, schema, statements} = workerData;
	const database = new DatabaseSync(file);
	database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${schema}`);
	const prepared = statements.map((statement) => database.prepare(statement));
	parentPort.on('message', ({rows, bytes}) => {
		database.exec('BEGIN IMMEDIATE');
		for (const [statement, ...values] of rows)
			prepared[statement].run(...values.map((value) => unpacked(value, bytes)));
		database.exec('COMMIT');
		parentPort.postMessage(rows.length);
	});
};

if (!isMainThread && workerData?.statements) write();
