import {setImmediate as turn} from 'node:timers/promises';
import {createSharedSignals} from '@signalbox/adapters-sql';
import type {DomainEvent, RateLimit} from '@signalbox/core';
import {createMemorySignals} from '@signalbox/core/memory';
import {systemClock} from '@signalbox/core/node';
import test, {type ExecutionContext} from 'ava';
import {createLogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';
import type {Connection} from '../src/connection.ts';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {migrate} from '../src/migrations/migrate.ts';
import {connectMysql} from '../src/mysql-connection.ts';
import {createInbox} from '../src/sharing/inbox.ts';
import {createSqlRateLimiter} from '../src/sharing/rate-limiter.ts';
import {createSignalLog, type SignalLog} from '../src/sharing/signal-log.ts';
import {raw, sql} from '../src/sql.ts';
import {connectSqlite} from '../src/sqlite-connection.ts';
import {temporaryFolder} from './support/temporary.ts';

const changed = (mcp_server_id: string): DomainEvent => ({type: 'mcp.server.changed', mcp_server_id, team_id: 'team'});

type Open = (t: ExecutionContext, clockOffset?: () => number) => Promise<Connection>;

const openSqlite: Open = async (t, clockOffset = () => 0) => {
	const {folder, remove} = await temporaryFolder();
	const gate = {run: async <T>(work: () => Promise<T>) => work()};
	const connection = await connectSqlite({
		storage: `${folder}/signalbox.db`,
		driver: await chooseDriver(),
		gate,
		clockOffset,
	});
	t.teardown(async () => connection.close().then(remove));
	return connection;
};

const openMariadb: Open = async (t, clockOffset = () => 0) => {
	const {url, drop} = await createLogicalDatabase();
	const connection = await connectMysql({url, clockOffset, connections: 5});
	t.teardown(async () => connection.close().then(drop));
	return connection;
};

const engines: Readonly<Record<string, Open>> = {
	SQLite: openSqlite,
	...((await mariadbIsMissing()) === undefined && {MariaDB: openMariadb}),
};

/** Registers a test on an empty database of each kind. */
const onEach = (
	title: string,
	run: (t: ExecutionContext, opened: Readonly<{connection: Connection; log: SignalLog}>) => Promise<void>,
): void => {
	for (const [engine, open] of Object.entries(engines))
		test(`${engine}: ${title}`, async (t) => {
			const connection = await open(t);
			await migrate(connection);
			await run(t, {connection, log: createSignalLog(connection)});
		});
};

type Needs = Partial<Parameters<typeof createSharedSignals>[0]> &
	Pick<Parameters<typeof createSharedSignals>[0], 'log'>;

/** What a process has, and what it hears. */
const begin = async (t: ExecutionContext, needs: Needs) => {
	const errors: unknown[] = [];
	const heard: DomainEvent[] = [];
	const signals = createSharedSignals({
		local: createMemorySignals(),
		clock: systemClock,
		lookEvery: 10,
		onError: (error) => errors.push(error),
		...needs,
	});
	signals.subscribe((event) => heard.push(event));
	await signals.start();
	t.teardown(signals.close);
	const hears = async (count: number) => {
		while (heard.length < count) await systemClock.sleep(2);
		return heard;
	};
	return {signals, heard, hears, errors};
};

onEach('what one process publishes is heard there at once, and in the others once and in order', async (t, {log}) => {
	const [one, other, third] = [await begin(t, {log}), await begin(t, {log}), await begin(t, {log})];
	one.signals.publish(changed('a'));
	one.signals.publish(changed('b'));
	t.deepEqual(one.heard, [changed('a'), changed('b')]);
	await other.hears(2);
	other.signals.publish(changed('c'));
	const all = [changed('a'), changed('b'), changed('c')];
	for (const {hears} of [one, other, third]) t.deepEqual(await hears(3), all);
	// Whatever would come twice comes before what is published now.
	third.signals.publish(changed('d'));
	for (const {hears} of [one, other]) t.deepEqual(await hears(4), [...all, changed('d')]);
});

onEach('what was published before a process listened is not told to it', async (t, {log}) => {
	const one = await begin(t, {log});
	one.signals.publish(changed('early'));
	await one.signals.close();
	t.is(await log.newest(), 1);
	const [other, third] = [await begin(t, {log}), await begin(t, {log})];
	other.signals.publish(changed('late'));
	t.deepEqual(await third.hears(1), [changed('late')]);
});

onEach(
	'a burst is few rows, the same event in it is told once, and what others need not know stays here',
	async (t, {log}) => {
		const one = await begin(t, {log, crosses: ({type}) => type !== 'team.deleted'});
		const other = await begin(t, {log});
		one.signals.publish({type: 'team.deleted', team_id: 'team'});
		for (let turn = 0; turn < 500; turn += 1) one.signals.publish(changed(`${turn % 100}`));
		t.is((await other.hears(100)).length, 100);
		await one.signals.close();
		t.is(await log.newest(), 1);
		t.is(other.heard.length, 100);
		t.is(one.heard.length, 501);
	},
);

onEach('of more events at once than a row holds the rest is lost, and told of', async (t, {log}) => {
	const [one, other] = [await begin(t, {log}), await begin(t, {log})];
	for (let event = 0; event < 1003; event += 1) one.signals.publish(changed(`${event}`));
	t.is((await other.hears(1000)).length, 1000);
	await one.signals.close();
	t.deepEqual(one.errors.map(String), ['Error: 3 signals were lost: too many at once']);
});

onEach('a log that fails is told of and disturbs nobody, and what comes later passes', async (t, {log}) => {
	let fails = true;
	const failing = (name: 'append' | 'newest' | 'read') =>
		(async (...args: [never, never]) => {
			if (fails) throw new Error(name);
			return log[name](...args);
		}) as never;
	const faulty = {...log, append: failing('append'), newest: failing('newest'), read: failing('read')};
	const [one, other] = [await begin(t, {log: faulty}), await begin(t, {log: faulty})];
	one.signals.publish(changed('lost'));
	t.deepEqual(one.heard, [changed('lost')]);
	while (!one.errors.some((error) => String(error).includes('append'))) await systemClock.sleep(2);
	fails = false;
	while (other.heard.length === 0) {
		one.signals.publish(changed('told'));
		await systemClock.sleep(2);
	}
	t.deepEqual(other.heard[0], changed('told'));
});

onEach('rows that become visible after later ones are read all the same, each once', async (t, {connection, log}) => {
	const write = async (...numbers: readonly number[]) =>
		connection.write(async (transaction) => {
			for (const seq of numbers)
				await transaction.run(
					sql`INSERT INTO signal_log (seq, origin, events, written_at) VALUES (${seq}, ${'other'}, ${'[]'}, ${'2026-01-01'})`,
				);
		});
	const seen: number[] = [];
	const inbox = createInbox(log, ({seq}) => seen.push(seq));
	await write(10);
	await inbox.begin();
	for (const numbers of [[13], [11, 15], [12, 16], [14], []]) {
		await write(...numbers);
		await inbox.read();
	}
	t.deepEqual(seen, [13, 11, 15, 12, 16, 14]);
	// More than are looked for at once: the oldest are given up.
	await write(2000);
	await inbox.read();
	await write(100, 1999);
	await inbox.read();
	t.deepEqual(seen.slice(-2), [2000, 1999]);
});

onEach('a reading that is late reads everything, in portions', async (t, {log}) => {
	const seen: number[] = [];
	const inbox = createInbox(log, ({seq}) => seen.push(seq));
	await inbox.begin();
	await Promise.all(Array.from({length: 450}, async () => log.append('other', '[]')));
	await inbox.read();
	t.deepEqual(
		seen,
		Array.from({length: 450}, (_, index) => index + 1),
	);
});

onEach(
	'rows are deleted when they are a minute old, and their numbers are not used again',
	async (t, {connection, log}) => {
		for (let row = 0; row < 3; row += 1) await log.append('other', '[]');
		t.is(await log.purge(), 0);
		const left = async () => (await connection.all(raw('SELECT seq FROM signal_log'))).map(({seq}) => seq);
		t.deepEqual(await left(), [1, 2, 3]);
		await connection.write(async (transaction) => {
			await transaction.run(sql`UPDATE signal_log SET written_at = ${connection.dialect.now(-61_000)}`);
		});
		t.is(await log.purge(), 2);
		t.deepEqual(await left(), [3]);
		await log.append('other', '[]');
		t.deepEqual(await left(), [3, 4]);
	},
);

for (const [engine, open] of Object.entries(engines))
	test(`${engine}: buckets are deleted when they are full again, and no earlier`, async (t) => {
		let offset = 0;
		const connection = await open(t, () => offset);
		await migrate(connection);
		const limiter = createSqlRateLimiter(connection);
		const limit = {per_minute: 1, burst: 2};
		await Promise.all(Array.from({length: 600}, async (_, key) => limiter.take(`${key}`, limit)));
		await limiter.take('exhausted', limit);
		await limiter.take('exhausted', limit);
		t.is(await limiter.purge(), 0);
		offset += 61_000;
		t.is(await limiter.purge(), 600);
		t.is((await limiter.take('exhausted', limit)).remaining, 1);
	});

/** Two limiters on one database, as two processes have them, and how often they wrote. */
const openLimiters = async (connection: Connection) => {
	await migrate(connection);
	let writes = 0;
	let last: Promise<unknown> = Promise.resolve();
	let time = 0;
	const counting: Connection = {
		...connection,
		write: async (work) => {
			writes += 1;
			const writing = connection.write(work);
			last = Promise.allSettled([writing]);
			return writing;
		},
	};
	const limiters = [0, 1].map(() => createSqlRateLimiter(counting, () => time));
	const takeMany = async (rounds: number, limit: RateLimit) => {
		let allowed = 0;
		for (let round = 0; round < rounds; round += 1) {
			const takes = Array.from({length: 40}, async (_, index) => limiters[index % 2]?.take('key', limit));
			allowed += (await Promise.all(takes)).filter((verdict) => verdict?.allowed).length;
		}
		return allowed;
	};
	const written = async () => {
		await last;
		// What waits for it goes on first.
		await turn();
	};
	return {limiters, takeMany, written, writes: () => writes, wait: (milliseconds: number) => (time += milliseconds)};
};

for (const [engine, open] of Object.entries(engines)) {
	test(`${engine}: of many requests in quick succession few wait for the database, for 50 ms each`, async (t) => {
		const {limiters, takeMany, writes, wait} = await openLimiters(await open(t));
		const limit = {per_minute: 1_000_000, burst: 0};
		t.is(await takeMany(50, limit), 2000);
		t.true(writes() <= 20, `${writes()} writes for 2,000 requests`);
		const before = writes();
		await limiters[0]?.take('key', limit);
		t.is(writes(), before);
		wait(50);
		const later = await limiters[0]?.take('key', limit);
		t.is(writes(), before + 1);
		t.true(Number(later?.remaining) > 1_000_000 - 6000);
	});

	test(`${engine}: more are taken ahead while the last ones are used, so that nobody waits`, async (t) => {
		const {limiters, written} = await openLimiters(await open(t));
		const limit = {per_minute: 1_000_000, burst: 0};
		const waits = async (takes: number) => {
			let waited = 0;
			for (let taken = 0; taken < takes; taken += 1) {
				const verdict = limiters[0]?.take('key', limit);
				if (verdict instanceof Promise) waited += 1;
				t.true((await verdict)?.allowed);
				await written();
			}
			return waited;
		};
		t.true((await waits(1000)) < 30);
		t.is(await waits(1000), 0);
	});

	test(`${engine}: what two took ahead and what each asked for is the allowance, to the last`, async (t) => {
		const {takeMany} = await openLimiters(await open(t));
		t.is(await takeMany(80, {per_minute: 1, burst: 2999}), 3000);
	});

	test(`${engine}: who asks now and then takes nothing ahead`, async (t) => {
		const {limiters, wait} = await openLimiters(await open(t));
		const limit = {per_minute: 1, burst: 9999};
		for (const remaining of [9999, 9998, 9997, 9996]) {
			t.is((await limiters[0]?.take('key', limit))?.remaining, remaining);
			wait(50);
		}
	});
}
