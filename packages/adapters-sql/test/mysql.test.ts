import {text} from 'node:stream/consumers';
import {openDatabase} from '@signalbox/adapters-sql';
import {buildAccount} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {createLogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';
import {createMysqlDialect} from '../src/dialects/mysql.ts';
import {connectMysql} from '../src/mysql-connection.ts';
import {raw} from '../src/sql.ts';
import {startMysqlGreeter} from './support/mysql-greeter.ts';
import {exitCode, startProgram} from './support/processes.ts';

const missing = await mariadbIsMissing();

/** On MariaDB, where there is one. */
const onServer = (title: string, run: (t: ExecutionContext) => Promise<void>): void => {
	test(title, async (t) => {
		if (missing === undefined) return run(t);
		t.log(missing);
		t.pass();
	});
};

const fresh = async (t: ExecutionContext) => {
	const logical = await createLogicalDatabase();
	t.teardown(logical.drop);
	return logical;
};

onServer(
	'[HTTP-075] mysql://user:password@host:port/db opens a database of MariaDB, whatever the password has in it',
	async (t) => {
		const {url, query} = await fresh(t);
		const name = new URL(url).pathname.slice(1);
		// From the very host: a new MariaDB has anonymous users on localhost, who shadow a user from anywhere.
		const [{host}] = (await query(`SELECT SUBSTRING_INDEX(USER(), '@', -1) AS host`)) as [{host: string}];
		const user = `${name.replace('signalbox_test_', 'u')}@'${host}'`;
		const password = `p@ss/w:rd?#%'"`;
		await query(`CREATE USER ${user} IDENTIFIED BY '${password.replace("'", "''")}'`);
		t.teardown(async () => query(`DROP USER ${user}`).catch(() => undefined));
		await query(`GRANT ALL ON ${name}.* TO ${user}`);
		const address = (secret: string) =>
			`mysql://${user.split('@')[0]}:${encodeURIComponent(secret)}@${new URL(url).host}/${name}`;
		const database = await openDatabase({url: address(password)});
		await database.migrate();
		const {user: account, team} = buildAccount({name: 'Ада 🦉 '});
		await database.stores.users.create({user: account, team});
		t.deepEqual(await database.stores.users.byId(account.id), account);
		await database.close();
		const refused = await t.throwsAsync(openDatabase({url: address('hunter2')}));
		t.regex(refused?.message ?? '', /Access denied/);
		t.notRegex(refused?.message ?? '', /hunter2/);
	},
);

test('[HTTP-074] mysql://user:password@host:port/db opens a database of a server that says it is MySQL', async (t) => {
	const known = {user: 'box', password: 's3cret!', database: 'signals'};
	const {port, close} = await startMysqlGreeter(known);
	t.teardown(close);
	const database = await openDatabase({url: `mysql://box:s3cret!@127.0.0.1:${port}/signals`});
	await database.ping();
	await database.close();
	await t.throwsAsync(openDatabase({url: `mysql://box:wrong@127.0.0.1:${port}/signals`}), {message: /Access denied/});
});

test('MySQL and MariaDB compare text to the last byte, each by its own name for that', (t) => {
	const table = {name: 'things', columns: {id: 'id'}, key: ['id']} as const;
	for (const collation of ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin'] as const) {
		const [statement] = createMysqlDialect(collation).createTable(table);
		t.regex(statement?.texts.join('') ?? '', new RegExp(`COLLATE ${collation}$`));
	}
});

onServer(
	'ten processes that start at once on an empty database migrate it once, and all of them succeed',
	async (t) => {
		const {url, query} = await fresh(t);
		const programs = Array.from({length: 10}, () => startProgram('migrating-program', url));
		const outcomes = programs.map(async (program) => {
			const [left, code] = await Promise.all([program.stdout && text(program.stdout), exitCode(program)]);
			return {left, code};
		});
		t.deepEqual(await Promise.all(outcomes), Array(10).fill({left: '0\n', code: 0}));
		const [{twice}] = (await query('SELECT COUNT(*) - COUNT(DISTINCT name) AS twice FROM schema_migrations')) as [
			{twice: number},
		];
		t.is(Number(twice), 0);
	},
);

onServer('a migration that was interrupted goes on where it was', async (t) => {
	const {url, query} = await fresh(t);
	const before = await openDatabase({url});
	await before.migrate();
	await before.close();
	// As if the process had died between its last change and the note of it, for every migration.
	await query('DELETE FROM schema_migrations');
	const after = await openDatabase({url});
	t.teardown(after.close);
	await after.migrate();
	t.deepEqual(await after.pending(), []);
});

onServer('what a lost host, or a process that stands still, holds locked is free again within seconds', async (t) => {
	const {url} = await fresh(t);
	const connection = await connectMysql({url, clockOffset: () => 0});
	t.teardown(connection.close);
	const [limits] = await connection.all(raw('SELECT @@idle_transaction_timeout AS idle, @@wait_timeout AS away'));
	t.deepEqual({...limits}, {idle: 20, away: 90});
});

onServer('a user who has no connection left is told that the database is unavailable', async (t) => {
	const {url, query} = await fresh(t);
	const name = new URL(url).pathname.slice(1);
	const [{host}] = (await query(`SELECT SUBSTRING_INDEX(USER(), '@', -1) AS host`)) as [{host: string}];
	const user = `${name.replace('signalbox_test_', 'l')}@'${host}'`;
	await query(`CREATE USER ${user} WITH MAX_USER_CONNECTIONS 1`);
	t.teardown(async () => query(`DROP USER ${user}`).catch(() => undefined));
	await query(`GRANT ALL ON ${name}.* TO ${user}`);
	const address = `mysql://${user.split('@')[0]}@${new URL(url).host}/${name}`;
	const first = await connectMysql({url: address, clockOffset: () => 0, connections: 1});
	t.teardown(first.close);
	await first.all(raw('SELECT 1'));
	t.like(await t.throwsAsync(connectMysql({url: address, clockOffset: () => 0})), {reason: 'service_unavailable'});
});

test('an address of the database with a parameter that is none, or a % that means nothing, is refused', async (t) => {
	for (const address of ['u@h/d?sslmode=REQUIRED', 'u@h/d?conections=3', 'u:p%w@h/d', 'u@h/d?connections=0'])
		await t.throwsAsync(openDatabase({url: `mysql://${address}`}), {message: /^database URL: /}, address);
});
