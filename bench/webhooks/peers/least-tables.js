/** Where the least program keeps what it accepts: rows are the number of a statement and its values. */
import {join} from 'node:path';
import {openDatabase} from '@signalbox/adapters-sql';
import {directory} from './task.js';

const file = join(directory, 'least.db');

/** The fewest columns, and no index. */
const twoTables = {
	database: {
		file,
		schema: `CREATE TABLE events (id INTEGER PRIMARY KEY, headers TEXT, body BLOB);
			CREATE TABLE deliveries (id INTEGER PRIMARY KEY, url TEXT, status TEXT, code INTEGER, answer BLOB);`,
		statements: [
			'INSERT INTO events VALUES (?, ?, ?)',
			"INSERT INTO deliveries VALUES (?, ?, 'sending', NULL, NULL)",
			"UPDATE deliveries SET status = 'delivered', code = ?, answer = ? WHERE id = ?",
		],
	},
	received: (id, headers, body) => [[0, id, JSON.stringify(headers), body]],
	planned: (id, url) => [[1, id, url]],
	answered: (id, code, answer) => [[2, code, answer, id]],
};

/** As long as ids of ours are, and growing as they do. */
const idOf = (id) => String(id).padStart(36, '0');
const now = () => new Date().toISOString().replace('T', ' ').slice(0, 23);
const trace = JSON.stringify({pipeline: {outcome: 'passed', steps: []}, routing: {rules: [{reason: 'x'.repeat(150)}]}});

/** Those of the server, with their indexes: event, content, delivery and attempt, and how each of them ends. */
const ourTables = {
	database: {
		file,
		// An endpoint and its user are not needed.
		schema: 'PRAGMA foreign_keys = OFF',
		statements: [
			"INSERT INTO webhook_events VALUES (?, 'endpoint', 'team', 'user', 'pending', 'POST', '/', '', '127.0.0.1', NULL, ?)",
			'INSERT INTO webhook_event_contents VALUES (?, ?, ?, NULL, NULL, NULL, ?, NULL)',
			`INSERT INTO webhook_deliveries (id, event_id, status, destination_key, due_at, leased, available_at, fence, attempt_count, armed_attempts,
				name, url, headers_override, retry_config) VALUES (?, ?, 'pending', 'destination', ?, 1, ?, 1, 1, 1, 'least', ?, '{}', '{}')`,
			"INSERT INTO webhook_attempts VALUES (?, ?, 1, ?, NULL, 'unknown', NULL, NULL, '{}', NULL, x'')",
			`UPDATE webhook_attempts SET completed_at = ?, outcome = 'delivered', status_code = ?, duration_ms = 1, response_body = ?
				WHERE delivery_id = ? AND id = ?`,
			`UPDATE webhook_deliveries SET status = 'delivered', leased = 0, available_at = NULL, last_status_code = ?, delivered_at = ?
				WHERE id = ? AND fence = 1`,
			"UPDATE webhook_events SET status = 'delivered' WHERE id = ?",
		],
	},
	received: (id, headers, body) => [
		[0, idOf(id), now()],
		[1, idOf(id), trace, JSON.stringify(headers), body],
	],
	planned: (id, url) => [
		[2, idOf(id), idOf(id), now(), now(), url],
		[3, idOf(id), idOf(id), now()],
	],
	answered: (id, code, answer) => [
		[4, now(), code, answer, idOf(id), idOf(id)],
		[5, code, now(), idOf(id)],
		[6, idOf(id)],
	],
};

const makeOurTables = async () => {
	const database = await openDatabase({url: `sqlite:${file}`});
	await database.migrate();
	await database.close();
	return ourTables;
};

export const tables = process.env.BENCH_TABLES === 'ours' ? await makeOurTables() : twoTables;
