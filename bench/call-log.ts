/**
 * Rows per second that the call log takes, each durable before its append resolves: 1 and 32 writers, both SQLite
 * drivers and MariaDB, in rounds that alternate, each in a process of its own (a process uses one SQLite library). Printed
 * are the medians, what a row costs the thread that appends and all other threads together, MariaDB's own not included,
 * and what the disk takes for one fdatasync.
 */
import {execFile} from 'node:child_process';
import {mkdtemp, open, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {SqlDatabase} from '@signalbox/adapters-sql';
import {instantOf} from '@signalbox/core';
import {createIds} from '@signalbox/core/node';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import {type Engine, measurable, withDatabase} from './engine.ts';
import {withOwnMariadb} from './own-mariadb.ts';
import {median, quantile} from './quantile.ts';

const rounds = 5;
const engines: readonly Engine[] = ['node:sqlite', 'mariadb', 'sqlite3'];
const loads = [
	{writers: 1, rows: 2_000},
	{writers: 32, rows: 30_000},
];

type Load = (typeof loads)[number];

/** Microseconds of CPU are per row; milliseconds are from append to durable. */
type Figures = Readonly<{rows_per_s: number; p50_ms: number; p99_ms: number; main_us: number; others_us: number}>;

const request_body = new TextEncoder().encode('x'.repeat(300));
const response_body = new TextEncoder().encode('y'.repeat(1200));
const headers = {
	accept: 'application/json, text/event-stream',
	'content-type': 'application/json',
	'content-length': '300',
	host: 'signalbox.example.com',
	connection: 'keep-alive',
	'user-agent': 'bench/1.0',
	'mcp-protocol-version': '2025-11-25',
	'mcp-session-id': '***',
};

const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-bench-'));
	return work(folder).finally(async () => rm(folder, {recursive: true, force: true}));
};

const registerServer = async ({stores}: SqlDatabase) => {
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	const server = buildServer({user_id: user.id, team_id: team.id});
	await stores.mcpServers.create(server, null);
	return server;
};

const buildEntries = (server: Awaited<ReturnType<typeof registerServer>>, count: number) => {
	const ids = createIds();
	const bodies = {request_body, response_body, headers};
	return Array.from({length: count}, () =>
		buildCallEntry({server, ...bodies, id: ids.next(), created_at: instantOf(Date.now()), tool_name: 'get_item'}),
	);
};

const append = async (database: SqlDatabase, entries: ReturnType<typeof buildEntries>, writers: number) => {
	const times: number[] = [];
	const left = entries.values();
	const write = async () => {
		for (const entry of left) {
			const begun = performance.now();
			await database.stores.callLog.append(entry);
			times.push(performance.now() - begun);
		}
	};
	await Promise.all(Array.from({length: writers}, write));
	return times;
};

const cpu = () => {
	const [main, all] = [process.threadCpuUsage(), process.cpuUsage()];
	return {main: main.user + main.system, all: all.user + all.system};
};

const measure = async (engine: Engine, {writers, rows}: Load): Promise<Figures> =>
	withDatabase(engine, async (database) => {
		const server = await registerServer(database);
		await append(database, buildEntries(server, 2_000), 32);
		const entries = buildEntries(server, rows);
		const [before, begun] = [cpu(), performance.now()];
		const times = await append(database, entries, writers);
		const [seconds, after] = [(performance.now() - begun) / 1000, cpu()];
		const main = after.main - before.main;
		return {
			rows_per_s: rows / seconds,
			p50_ms: quantile(times, 0.5),
			p99_ms: quantile(times, 0.99),
			main_us: main / rows,
			others_us: (after.all - before.all - main) / rows,
		};
	});

/** Milliseconds of one fdatasync after four pages were written over, as a commit does. */
const fdatasyncTimes = async (): Promise<readonly number[]> =>
	withFolder(async (folder) => {
		const file = await open(path.join(folder, 'file'), 'w');
		const pages = Buffer.alloc(4 * 4096, 1);
		const times: number[] = [];
		for (let turn = 0; turn < 200; turn += 1) {
			await file.write(pages, 0, pages.length, 0);
			const begun = performance.now();
			await file.datasync();
			times.push(performance.now() - begun);
		}
		await file.close();
		return times;
	});

const measureApart = async (engine: Engine, load: Load): Promise<Figures> => {
	const argv = ['--conditions=@signalbox/source', fileURLToPath(import.meta.url), engine, JSON.stringify(load)];
	const {stdout} = await promisify(execFile)(process.execPath, argv);
	return JSON.parse(stdout) as Figures;
};

const show = (title: string, figures: readonly Figures[]): void => {
	const of = (name: keyof Figures, digits: number) => median(figures.map((each) => each[name])).toFixed(digits);
	const cost = `${of('main_us', 1)} us of the appending thread, ${of('others_us', 1)} us of others`;
	const delay = `p50 ${of('p50_ms', 2)} ms, p99 ${of('p99_ms', 2)} ms`;
	console.log(`${title}: ${of('rows_per_s', 0)} rows/s, ${delay}, a row costs ${cost}`);
};

const compare = async (): Promise<void> => {
	const figures = new Map<string, Figures[]>();
	const syncs: number[] = [];
	const chosen = await measurable(engines);
	for (let round = 0; round < rounds; round += 1) {
		syncs.push(...(await fdatasyncTimes()));
		for (const load of loads) {
			for (const engine of chosen) {
				const title = `${engine}, ${load.writers} writers`;
				figures.set(title, [...(figures.get(title) ?? []), await measureApart(engine, load)]);
			}
		}
	}
	console.log(`fdatasync: p50 ${quantile(syncs, 0.5).toFixed(2)} ms, p99 ${quantile(syncs, 0.99).toFixed(2)} ms`);
	for (const [title, each] of figures) show(title, each);
};

const [engine, load] = process.argv.slice(2);
if (engine && load) console.log(JSON.stringify(await measure(engine as Engine, JSON.parse(load) as Load)));
else await withOwnMariadb(compare);
