import path from 'node:path';
import {text} from 'node:stream/consumers';
import {openDatabase} from '@signalbox/adapters-sql';
import {buildAccount} from '@signalbox/core/testing';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {migrate, pendingMigrations} from '../src/migrations/migrate.ts';
import {raw, sql} from '../src/sql.ts';
import {connectSqlite} from '../src/sqlite-connection.ts';
import {writeFirstRelease} from './support/first-release.ts';
import {exitCode, startProgram} from './support/processes.ts';
import {temporaryFolder} from './support/temporary.ts';

test('a fresh database needs every migration, and none after migrate', async (t) => {
	const database = await openDatabase({url: 'sqlite::memory:'});
	t.teardown(database.close);
	t.deepEqual(await database.pending(), [
		'0001-initial',
		'0002-rounds',
		'0003-attended-calls',
		'0004-webhooks',
		'0005-cron',
		'0006-device-logins',
		'0007-chains',
		'0008-notices',
		'0009-lease-holders',
		'0010-expired-tokens',
		'0011-sharing',
		'0012-lane-locks',
		'0013-listed-filters',
		'0014-day-rollups',
		'0015-flagged-indexes',
		'0016-live-events',
		'0017-notification-channels',
		'0018-exact-arguments',
		'0019-user-lanes',
		'0020-rollup-deltas',
		'0021-packed-bodies',
	]);
	await database.migrate();
	t.deepEqual(await database.pending(), []);
});

test('migrating again changes nothing and keeps what is stored', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const url = `sqlite:${path.join(folder, 'signalbox.db')}`;
	const before = await openDatabase({url});
	await before.migrate();
	const {user, team} = buildAccount();
	await before.stores.users.create({user, team});
	await before.close();

	const after = await openDatabase({url});
	t.teardown(after.close);
	await after.migrate();
	await after.migrate();
	t.deepEqual(await after.stores.users.byId(user.id), user);
});

test('processes that start at once on a fresh file migrate it once, and all of them succeed', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'signalbox.db');
	const programs = Array.from({length: 3}, () => startProgram('migrating-program', `sqlite:${file}`));
	const outcomes = programs.map(async (program) => {
		const [left, code] = await Promise.all([program.stdout && text(program.stdout), exitCode(program)]);
		return {left, code};
	});
	t.deepEqual(await Promise.all(outcomes), Array(3).fill({left: '0\n', code: 0}));
});

test('an older database keeps its approvals: nobody is between rounds, and what was granted runs once', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'signalbox.db');
	await writeFirstRelease(file);
	const database = await openDatabase({url: `sqlite:${file}`});
	t.teardown(database.close);
	t.deepEqual(await database.pending(), [
		'0002-rounds',
		'0003-attended-calls',
		'0004-webhooks',
		'0005-cron',
		'0006-device-logins',
		'0007-chains',
		'0008-notices',
		'0009-lease-holders',
		'0010-expired-tokens',
		'0011-sharing',
		'0012-lane-locks',
		'0013-listed-filters',
		'0014-day-rollups',
		'0015-flagged-indexes',
		'0016-live-events',
		'0017-notification-channels',
		'0018-exact-arguments',
		'0019-user-lanes',
		'0020-rollup-deltas',
		'0021-packed-bodies',
	]);
	await database.migrate();
	const {approvals} = database.stores;
	const [granted] = await approvals.list({user_id: 'user', team_ids: []}, 'approved', 10);
	t.like(granted, {id: 'approval', caller_waiting: true, detaches_at: null, consumed_at: null, runs: 0});
	t.false(await approvals.consume('approval', {run: 0, within_seconds: 3600}));
	t.true(await approvals.consume('approval'));
	t.true(await approvals.consume('approval', {run: 1, within_seconds: 3600}));
});

const connectTo = async (storage: string) =>
	connectSqlite({
		storage,
		driver: await chooseDriver(),
		gate: {run: async (work) => work()},
		clockOffset: () => 0,
	});

test('a migration that takes another process longer than an ordinary write may wait is waited out', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'signalbox.db');
	const [connection, other] = [await connectTo(file), await connectTo(file)];
	t.teardown(async () => Promise.all([connection.close(), other.close()]));
	await connection.write(async ({all}) => all(raw('PRAGMA busy_timeout = 1')));
	const long = Promise.withResolvers<void>();
	const begun = Promise.withResolvers<void>();
	const migratingElsewhere = other.write(async () => {
		begun.resolve();
		await long.promise;
	});
	await begun.promise;
	await t.throwsAsync(
		connection.write(async () => undefined),
		{message: /Not available now/},
	);
	const migrating = migrate(connection);
	// What is refused to a write after this was refused to the migration before.
	await t.throwsAsync(
		connection.write(async () => undefined),
		{message: /Not available now/},
	);
	long.resolve();
	await Promise.all([migratingElsewhere, migrating]);
	t.deepEqual(await pendingMigrations(connection), []);
});

test('a database of a newer release is refused', async (t) => {
	const connection = await connectTo(':memory:');
	t.teardown(connection.close);
	await migrate(connection);
	const later = sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${'9999-later'}, ${'2100-01-01 00:00:00.000'})`;
	await connection.write(async (transaction) => transaction.run(later));
	await t.throwsAsync(migrate(connection), {message: /newer release: 9999-later/});
});
