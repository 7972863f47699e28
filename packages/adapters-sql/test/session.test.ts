import {once} from 'node:events';
import path from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {openNodeSession} from '../src/drivers/node-sqlite-session.ts';
import {openSessionThread} from '../src/drivers/session-thread.ts';
import {raw, type SqlValue, sql} from '../src/sql.ts';
import {temporaryFolder} from './support/temporary.ts';

const openThread = async (t: ExecutionContext) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'file.db');
	return {file, session: await openSessionThread(file)};
};

/** Counts up to that number inside of SQLite, which takes a while. */
const countTo = (number: number) =>
	sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${number}) SELECT MAX(i) AS last FROM n`;

test('a statement of a session thread holds up nobody else', async (t) => {
	const {session} = await openThread(t);
	let turns = 0;
	let isDone = false;
	const counting = session.all(countTo(1_000_000)).finally(() => {
		isDone = true;
	});
	while (!isDone) {
		await nextTurn();
		turns += 1;
	}
	t.deepEqual(await counting, [{last: 1_000_000}]);
	t.true(turns > 10);
	await session.close();
});

const value: fc.Arbitrary<SqlValue> = fc.oneof(
	fc.string({unit: 'grapheme'}),
	fc.integer(),
	fc.double({noNaN: true, noDefaultInfinity: true}),
	fc.constant(null),
	fc.uint8Array(),
);

/** Numbers come back equal, which is all that SQLite promises of a negative zero. */
const plain = (each: unknown): unknown => {
	if (each instanceof Uint8Array) return [...each];
	return Object.is(each, -0) ? 0 : each;
};

for (const [name, open] of [
	['in a thread', openSessionThread],
	['here', openNodeSession],
] as const) {
	test(`${name}: what is inserted, however many rows of whatever, is read back as it was`, async (t) => {
		const session = await open(':memory:');
		t.teardown(session.close);
		await session.run(raw('CREATE TABLE kept (place INTEGER, a, b)'));
		const rows = fc.array(fc.tuple(value, value), {maxLength: 40});
		await fc.assert(
			fc.asyncProperty(rows, async (inserted) => {
				await session.run(raw('DELETE FROM kept'));
				const into = raw('INSERT INTO kept (place, a, b) VALUES');
				if (inserted.length > 0)
					await session.insert(
						into,
						inserted.map((row, place) => [place, ...row]),
					);
				const found = await session.all(raw('SELECT a, b FROM kept ORDER BY place'));
				t.deepEqual(
					found.map(({a, b}) => [plain(a), plain(b)]),
					inserted.map((row) => row.map(plain)),
				);
			}),
			{numRuns: 30},
		);
	});
}

test('calls that are made at once are answered each with its own result, in their order', async (t) => {
	const {session} = await openThread(t);
	const answers = await Promise.allSettled([
		session.all(countTo(10_000)),
		session.all(raw('SELECT nonsense')),
		session.all(sql`SELECT ${'text'} AS last`),
	]);
	t.deepEqual(
		answers.map((each) => (each.status === 'fulfilled' ? each.value : each.status)),
		[[{last: 10_000}], 'rejected', [{last: 'text'}]],
	);
	await session.close();
});

test('a constraint that fails in a thread is named as it is by sqlite3', async (t) => {
	const {session} = await openThread(t);
	await session.run(raw('CREATE TABLE one (id INTEGER PRIMARY KEY)'));
	await session.run(raw('INSERT INTO one VALUES (1)'));
	await t.throwsAsync(session.run(raw('INSERT INTO one VALUES (1)')), {
		code: 'SQLITE_CONSTRAINT',
		message: 'SQLITE_CONSTRAINT: UNIQUE constraint failed: one.id',
	});
	await session.close();
});

test('a session that was closed refuses, and so does one whose file cannot be opened', async (t) => {
	const {session, file} = await openThread(t);
	await session.close();
	await t.throwsAsync(session.all(raw('SELECT 1')), {message: /SQLITE_MISUSE: Database is closed/});
	await t.throwsAsync(openSessionThread(path.dirname(file)), {message: /^SQLITE_CANTOPEN/});
});

const echoService = new URL('support/echo-service.ts', import.meta.url);

test('a session thread hosts services, each behind a port of its own', async (t) => {
	const {session} = await openThread(t);
	const ports = ['one', 'two'].map((data) => session.host(echoService, data));
	const threads = new Set<number>();
	for (const [index, port] of ports.entries()) {
		port.postMessage('told');
		const [{threadId, ...said}] = await once(port, 'message');
		t.deepEqual(said, {data: ['one', 'two'][index], message: 'told'});
		threads.add(threadId);
	}
	t.is(threads.size, 1);
	t.false(threads.has(0));
	const closed = Promise.all(ports.map(async (port) => once(port, 'close')));
	for (const port of ports) port.postMessage('close');
	await closed;
	t.deepEqual(await session.all(raw('SELECT 1 AS one')), [{one: 1}]);
	await session.close();
});

test('the port of a service closes that cannot be started, or whose thread ends', async (t) => {
	const {session} = await openThread(t);
	await once(session.host(new URL('support/no-such-service.ts', import.meta.url), null), 'close');
	const port = session.host(echoService, null);
	port.on('message', () => undefined);
	port.postMessage('die');
	await once(port, 'close');
	await t.throwsAsync(session.all(raw('SELECT 1')), {message: /SQLITE_MISUSE: Database is closed/});
	await once(session.host(echoService, null), 'close');
});
