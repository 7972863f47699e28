import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {createIds} from '@signalbox/core/node';
import test from 'ava';
import {openAudit} from '../../bench/proxy/call-log-audit.ts';
import type {ContestantName} from '../../bench/proxy/contestant.ts';
import {isMet, judgeGoals} from '../../bench/proxy/goals.ts';
import type {Measurement} from '../../bench/proxy/measure.ts';
import {requestBody, responseBody} from '../../bench/proxy/message.ts';
import {rowNamed, summarise} from '../../bench/proxy/summary.ts';
import {openRecords} from '../../bench/records.ts';

const bodies = {request: 'asked', response: 'told'};

const openLog = async () => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
	const file = join(directory, 'signalbox.db');
	const log = new DatabaseSync(file);
	log.exec('CREATE TABLE mcp_calls (id TEXT, status TEXT, request_body BLOB, response_body BLOB)');
	const insert = log.prepare('INSERT INTO mcp_calls VALUES (?, ?, ?, ?)');
	const ids = createIds();
	const records = await openRecords('sqlite', directory);
	return {
		audit: openAudit(records, bodies),
		append: (count: number, {request, response, status = 'success'}: typeof bodies & {status?: string} = bodies) => {
			for (let index = 0; index < count; index += 1)
				insert.run(ids.next(), status, Buffer.from(request), Buffer.from(response));
		},
		close: async () => {
			await records.close();
			log.close();
			await rm(directory, {recursive: true});
		},
	};
};

test('the audit takes every answered call once, and at most one more for each connection', async (t) => {
	const {audit, append, close} = await openLog();
	append(10);
	await t.notThrowsAsync(audit({requests: 10, connections: 2}));
	append(7);
	await t.notThrowsAsync(audit({requests: 5, connections: 2}));
	append(5);
	await t.throwsAsync(audit({requests: 1, connections: 1}), {message: /16 calls were answered.* 22 rows/});
	await close();
});

for (const [what, row] of [
	['is missing', undefined],
	['lacks its request', {...bodies, request: ''}],
	['lacks its answer', {...bodies, response: ''}],
	['is logged as an error', {...bodies, status: 'error'}],
] as const) {
	test(`the audit sees that one call of many ${what}`, async (t) => {
		const {audit, append, close} = await openLog();
		append(99);
		if (row) append(1, row);
		await t.throwsAsync(audit({requests: 100, connections: 0}), {
			message: /100 calls were answered.* 99 of them whole/,
		});
		await close();
	});
}

test('answers have exactly the size that a scenario names, and a call has about 300 bytes', (t) => {
	for (const bytes of [1200, 32_768]) t.is(Buffer.byteLength(responseBody(bytes)), bytes);
	t.true(Math.abs(Buffer.byteLength(requestBody) - 300) < 60, requestBody);
});

const machine = {cores: 2, cpu: 'any', node: 'v24.0.0', fdatasync_p50_ms: 0.5};

const measured = (contestant: ContestantName, requests: number, peak_mb?: number): Measurement => {
	const times = {seconds: 2, p50_ms: 1000 / requests, p99_ms: 4000 / requests};
	return {contestant, round: 0, requests, bytes: 0, failures: 0, cpu_us: undefined, peak_mb, ...times};
};

test('a table shows the medians of the rounds and the largest of the peaks', (t) => {
	const odd = [300, 100, 200].map((requests) => measured('ours', requests, requests));
	const even = [400, 100, 200, 100].map((requests) => measured('direct', requests));
	const outcome = summarise({name: 'cheap', connections: 32}, [...odd, ...even]);
	t.like(rowNamed(outcome, 'ours'), {per_second: 100, p50_ms: 5, peak_mb: 300});
	t.like(rowNamed(outcome, 'direct'), {per_second: 75, peak_mb: undefined});
	t.is(rowNamed(outcome, 'nginx'), undefined);
});

test('a goal is met at its bound, missed beyond it, and open while it was not measured', (t) => {
	const runs = [
		measured('http-proxy', 1000),
		measured('mcp-proxy', 100),
		measured('ours', 1100, 300.5),
		measured('ours on MariaDB', 880),
	];
	const goals = judgeGoals([summarise({name: 'cheap', connections: 32}, runs)], machine);
	const verdicts = goals.map((goal) => [goal.title, goal.value === undefined ? 'open' : isMet(goal)]);
	t.deepEqual(verdicts, [
		['requests/s against http-proxy, cheap', true],
		['requests/s against http-proxy, node:http', 'open'],
		['requests/s against http-proxy, large answers', 'open'],
		['requests/s against mcp-proxy, cheap', false],
		['requests/s on MariaDB against SQLite, cheap', true],
		['p99 against http-proxy, cheap', true],
		['p50 added to direct, one connection (0.6 ms or two fdatasyncs)', 'open'],
		['peak memory', false],
	]);
});

test('on a slow disk the added latency may be two fdatasyncs, on a fast one 0.6 ms', (t) => {
	const limitOn = (fdatasync_p50_ms: number) =>
		judgeGoals([], {...machine, fdatasync_p50_ms}).find(({unit}) => unit === 'ms')?.limit;
	t.is(limitOn(2), 4);
	t.is(limitOn(0.1), 0.6);
});
