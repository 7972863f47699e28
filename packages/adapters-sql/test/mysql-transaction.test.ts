import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {createLogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';
import {connectMysql} from '../src/mysql-connection.ts';
import {raw, type SqlValue, sql} from '../src/sql.ts';

const missing = await mariadbIsMissing();

const onServer = (title: string, run: (t: ExecutionContext) => Promise<void>): void => {
	test(title, async (t) => {
		if (missing === undefined) return run(t);
		t.log(missing);
		t.pass();
	});
};

/** A connection to a database with one table. */
const open = async (t: ExecutionContext) => {
	const {url, drop, query} = await createLogicalDatabase();
	t.teardown(drop);
	const columns = 'place INT PRIMARY KEY, words LONGTEXT, number DOUBLE, bytes LONGBLOB';
	await query(`CREATE TABLE kept (${columns}) CHARACTER SET utf8mb4`);
	const connection = await connectMysql({url, clockOffset: () => 0});
	t.teardown(connection.close);
	return connection;
};

const insert = (place: number, words: SqlValue) => sql`INSERT INTO kept (place, words) VALUES (${place}, ${words})`;
const all = raw('SELECT place, words FROM kept ORDER BY place');

const word = fc.oneof(
	fc.string({unit: 'grapheme'}),
	fc.string({
		unit: fc.constantFrom("'", '"', '\\', '\0', '\x1a', '\n', '`', ';', '--', '/*', '?', "\\'; DROP TABLE kept; --"),
	}),
);
const row = fc.tuple(word, fc.integer(), fc.oneof(fc.uint8Array(), fc.constant(null)));

onServer('what waits to be written is written as it was, whatever stands in it', async (t) => {
	const connection = await open(t);
	await fc.assert(
		fc.asyncProperty(fc.array(row, {minLength: 1, maxLength: 10}), async (rows) => {
			const found = await connection.write(async (transaction) => {
				await transaction.later(raw('DELETE FROM kept'));
				for (const [place, [words, number, bytes]] of rows.entries())
					await transaction.later(sql`INSERT INTO kept VALUES (${place}, ${words}, ${number}, ${bytes})`);
				return transaction.all(raw('SELECT words, number, bytes FROM kept ORDER BY place'));
			});
			t.deepEqual(
				found.map(({words, number, bytes}) => [words, number, bytes && [...(bytes as Uint8Array)]]),
				rows.map(([words, number, bytes]) => [words, number, bytes && [...bytes]]),
			);
		}),
		{numRuns: 50},
	);
});

onServer('what waits is there for whatever is asked next, and several answers come in their order', async (t) => {
	const connection = await open(t);
	await connection.write(async (transaction) => {
		await transaction.later(insert(1, 'one'));
		t.is(await transaction.run(sql`UPDATE kept SET words = ${'uno'} WHERE place = 1`), 1);
		await transaction.later(insert(2, 'x'.repeat(100_000)));
		await transaction.later(insert(3, 'three'));
		const [few, many] = await transaction.each([sql`SELECT words FROM kept WHERE place = ${1}`, all]);
		t.deepEqual(few, [{words: 'uno'}]);
		t.deepEqual(
			many?.map(({place}) => place),
			[1, 2, 3],
		);
		await transaction.later(insert(4, 'four'));
	});
	t.is((await connection.all(all)).length, 4);
});

onServer('when something that waited fails, nothing after it is done and nothing before it is kept', async (t) => {
	const connection = await open(t);
	const doomed = connection.write(async (transaction) => {
		await transaction.later(insert(1, 'one'));
		await transaction.later(insert(1, 'again'));
		await transaction.later(insert(2, 'two'));
	});
	await t.throwsAsync(doomed, {message: /resource_exists|exists/i});
	t.deepEqual(await connection.all(all), []);
	await connection.write(async (transaction) => transaction.later(insert(3, 'three')));
	t.deepEqual(await connection.all(all), [{place: 3, words: 'three'}]);
});
