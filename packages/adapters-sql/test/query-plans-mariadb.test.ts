import test, {type ExecutionContext} from 'ava';
import {mariadbIsMissing} from '../../../test/support/mariadb.ts';
import {addBigTenant} from '../../../test/support/million-rows/big-tenant.ts';
import {makeMariadbPlace} from '../../../test/support/million-rows/mariadb-place.ts';
import {seed} from '../../../test/support/million-rows/seed.ts';
import {openMariadbSeed} from '../../../test/support/million-rows/seed-engine.ts';
import {idOf, kinds, million, type Originals} from '../../../test/support/million-rows/seed-numbers.ts';
import {connectMysql} from '../src/mysql-connection.ts';
import {raw, type Sql, sql} from '../src/sql.ts';
import {makePlace} from './support/mariadb-harness.ts';
import {judgeMysqlPlan} from './support/plans/mysql-plan.ts';
import {planExceptions} from './support/plans/plan-exceptions.ts';
import {recordStatements, textOf} from './support/plans/record-statements.ts';
import {ofTenant} from './support/plans/tenant-values.ts';

const missing = await mariadbIsMissing();

/** PLAN_ROWS=1 for all of the million; by default as many as are filled in within seconds. */
const share = Number(process.env.PLAN_ROWS ?? 0.05);
const counts = Object.fromEntries(
	Object.entries(million).map(([kind, count]) => [kind, Math.ceil(count * share)]),
) as typeof million;

const openSeeded = async (t: ExecutionContext) => {
	const {url, run, remove} = await makeMariadbPlace();
	t.teardown(remove);
	const {of} = await addBigTenant(run);
	const engine = await openMariadbSeed(url);
	const found = await seed(engine, of, counts);
	await engine.settle();
	await engine.close();
	t.log(`${Object.values(found).reduce((sum, count) => sum + count, 0)} rows`);
	const connection = await connectMysql({url, clockOffset: () => 0});
	t.teardown(connection.close);
	return {of, connection};
};

const n = 1000;
const smallTenant: Originals = {
	...{user_id: idOf(kinds.user, n), team_id: idOf(kinds.team, n), server_id: idOf(kinds.server, n)},
	...{endpoint_id: idOf(kinds.endpoint, n), job_id: idOf(kinds.job, n), chain_id: idOf(kinds.chain, n)},
};

/** One database for all cases, emptied after each. */
const recordOnMariadb = async (t: ExecutionContext): Promise<readonly Sql[]> => {
	const place = await makePlace();
	t.teardown(place.remove);
	return recordStatements(async (clockOffset) => {
		const connection = await connectMysql({url: place.url, clockOffset, connections: 2});
		const close = async () => {
			await connection.close();
			await place.empty();
		};
		return {...connection, close};
	});
};

const isExplained = (text: string): boolean => /^(SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE)\b/.test(text);

const openWithJudge = async (t: ExecutionContext) => {
	const {connection, of} = await openSeeded(t);
	const named = raw('SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()');
	const tables = new Set((await connection.all(named)).map(({name}) => String(name)));
	const judge = async (statement: Sql, tenant: Originals) =>
		judgeMysqlPlan(textOf(statement), await connection.all(sql`EXPLAIN ${ofTenant(statement, tenant)}`), tables);
	/** For a tenant with most of a table it is right to read all of it, but not to sort that much. */
	const faultsOf = async (statement: Sql): Promise<readonly string[]> => {
		const [big, small] = [await judge(statement, of), await judge(statement, smallTenant)];
		const found = [
			...small.problems.filter((problem) => problem !== 'sorts').map((problem) => ({problem, ...small})),
			...big.problems.filter((problem) => problem === 'sorts').map((problem) => ({problem, ...big})),
		];
		const text = textOf(statement);
		return found
			.filter(({problem}) => !planExceptions.some((each) => each.problem === problem && each.statement.test(text)))
			.map(({problem, steps}) => `${problem}: ${text}\n${steps.join('\n')}`);
	};
	return {faultsOf, problemsOf: async (statement: Sql) => (await judge(statement, of)).problems};
};

test('every statement of the stores finds its rows by an index on MariaDB, and sorts a few at most, but for the exceptions', async (t) => {
	if (missing !== undefined) {
		t.log(missing);
		return t.pass();
	}
	t.timeout(900_000);
	const statements = (await recordOnMariadb(t)).filter((statement) => isExplained(textOf(statement)));
	t.true(statements.length > 300, `${statements.length} statements`);
	const {faultsOf, problemsOf} = await openWithJudge(t);
	const faults: string[] = [];
	for (const statement of statements) faults.push(...(await faultsOf(statement)));
	t.deepEqual(faults, []);

	const [byMethod, byDuration] = [sql`WHERE method = ${'x'}`, sql`WHERE team_id = ${'x'} ORDER BY duration_ms`];
	t.deepEqual(await problemsOf(sql`SELECT id FROM mcp_calls ${byMethod}`), ['reads a whole table']);
	t.deepEqual(await problemsOf(sql`SELECT id FROM mcp_calls ${byDuration}`), ['sorts', 'reads a whole table']);
	const waiting = sql`SELECT MIN(destination_key) FROM webhook_deliveries WHERE available_at IS NOT NULL`;
	t.deepEqual(await problemsOf(waiting), ['reads a whole table']);
});
