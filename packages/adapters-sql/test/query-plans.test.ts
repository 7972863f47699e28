import test, {type ExecutionContext} from 'ava';
import type {Connection} from '../src/connection.ts';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {migrate} from '../src/migrations/migrate.ts';
import {raw, type Sql, sql} from '../src/sql.ts';
import {connectSqlite} from '../src/sqlite-connection.ts';
import {createEventStore} from '../src/webhook/events.store.ts';
import {planExceptions} from './support/plans/plan-exceptions.ts';
import {explained, judgePlan} from './support/plans/query-plan.ts';
import {type OpenConnection, recordStatements, textOf} from './support/plans/record-statements.ts';

/** Without statistics, as operators have none, SQLite plans by the indexes alone: as many rows as there may be. */
const open: OpenConnection = async (clockOffset) => {
	const gate = {run: async <T>(work: () => Promise<T>) => work()};
	const connection = await connectSqlite({storage: ':memory:', driver: await chooseDriver(), gate, clockOffset});
	await migrate(connection);
	return connection;
};

const namesOf = async (connection: Connection, statement: Sql): Promise<readonly string[]> =>
	(await connection.all(statement)).map(({name}) => String(name));

const openWithJudge = async (t: ExecutionContext) => {
	const connection = await open(() => 0);
	t.teardown(connection.close);
	const tables = await namesOf(connection, raw("SELECT name FROM sqlite_master WHERE type = 'table'"));
	const judge = async (statement: Sql) =>
		judgePlan(statement, await connection.all(explained(statement)), new Set(tables));
	return {connection, tables, judge};
};

test('every statement of the stores finds its rows by an index, and sorts a few at most, but for the exceptions', async (t) => {
	const statements = await recordStatements(open);
	t.true(statements.length > 300, `${statements.length} statements`);
	const {judge} = await openWithJudge(t);
	const used = new Set<unknown>();
	const faults: string[] = [];
	for (const statement of statements) {
		const text = textOf(statement);
		const {steps, problems} = await judge(statement);
		for (const problem of problems) {
			const exception = planExceptions.find((each) => each.problem === problem && each.statement.test(text));
			if (exception === undefined) faults.push(`${problem}: ${text}\n${steps.join('\n')}`);
			used.add(exception);
		}
	}
	t.deepEqual(faults, []);
	t.deepEqual(
		planExceptions.filter((exception) => !used.has(exception)),
		[],
		'exceptions that nothing needs',
	);
});

test('a plan that reads all, a share by a column of a few values, or sorts what grows, is found out', async (t) => {
	const {judge} = await openWithJudge(t);
	const problemsOf = async (statement: Sql) => (await judge(statement)).problems;
	const calls = sql`SELECT c.id FROM mcp_calls c`;
	t.deepEqual(await problemsOf(sql`${calls} WHERE c.method = ${'tools/call'}`), ['reads a whole table']);
	t.deepEqual(await problemsOf(sql`SELECT COUNT(*) FROM mcp_calls`), ['reads a whole table']);
	t.deepEqual(await problemsOf(sql`DELETE FROM mcp_calls WHERE cost_cents = 1`), ['reads a whole table']);
	t.deepEqual(await problemsOf(sql`${calls} WHERE c.team_id = ${'team'} ORDER BY c.duration_ms`), ['sorts']);
	t.deepEqual(await problemsOf(sql`SELECT tool_name FROM approvals WHERE status = ${'approved'}`), [
		'reads a share of a table',
	]);
	t.deepEqual(await problemsOf(sql`SELECT c.id FROM users u JOIN mcp_calls c ON c.method = u.name`), [
		'reads a whole table',
		'builds an index',
	]);
	t.deepEqual(await problemsOf(sql`${calls} WHERE c.team_id = ${'team'} ORDER BY c.created_at, c.id`), []);
	t.deepEqual(await problemsOf(sql`${calls} WHERE c.id IN (${'a'}, ${'b'}) ORDER BY c.duration_ms`), []);
});

test('what goes with a row by a foreign key is found by an index', async (t) => {
	const {connection, tables} = await openWithJudge(t);
	const unfound: string[] = [];
	for (const table of tables) {
		const whole = await namesOf(connection, sql`SELECT name FROM pragma_index_list(${table}) WHERE partial = 0`);
		const led = new Set(
			await Promise.all(
				whole.map(async (index) => (await namesOf(connection, sql`SELECT name FROM pragma_index_info(${index})`))[0]),
			),
		);
		const keys = await namesOf(connection, sql`SELECT "from" AS name FROM pragma_foreign_key_list(${table})`);
		unfound.push(...keys.filter((key) => !led.has(key)).map((key) => `${table}.${key}`));
	}
	// Users are never deleted.
	t.deepEqual(unfound, ['device_logins.user_id']);
});

test('an index is entered behind a place, however many rows share its first column', async (t) => {
	const {connection} = await openWithJudge(t);
	const at = '2026-01-31 09:30:00.000';
	const behind = connection.dialect.isAfter(['next_run_at', 'id'], [at, 'job']);
	const dueNow = sql`is_enabled = 1 AND next_run_at <= ${at} AND ${behind}`;
	const page = sql`SELECT id FROM cron_jobs WHERE ${dueNow} ORDER BY next_run_at, id LIMIT 10`;
	const steps = (await connection.all(explained(page))).map(({detail}) => String(detail));
	t.deepEqual(
		steps.map((step) => step.slice(step.indexOf('('))),
		['(is_enabled=? AND (next_run_at,id)>(?,?) AND next_run_at<?)'],
	);
});

test('a further page of events is entered where the one before ended, not where their filter begins', async (t) => {
	const {connection} = await openWithJudge(t);
	const statements: Sql[] = [];
	const {keys} = createEventStore({
		...connection,
		all: async (statement) => {
			statements.push(statement);
			return connection.all(statement);
		},
	});
	const [from, created_at] = ['2026-01-01T00:00:00.000Z', '2026-01-31T09:30:00.000Z'];
	await keys('team', {from}, {after: {created_at, id: 'event'}, limit: 10});
	t.deepEqual(
		statements.map((statement) => textOf(statement).match(/created_at >=/g)),
		[['created_at >=']],
	);
});
