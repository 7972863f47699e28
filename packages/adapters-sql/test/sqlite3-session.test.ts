import test from 'ava';
import {raw} from '../src/sql.ts';
import {isSqlite3Built} from './support/sqlite3-built.ts';

const isBuilt = await isSqlite3Built();

test('as many different statements at once as are not kept prepared are each answered', async (t) => {
	if (!isBuilt) return t.pass('sqlite3 is not built');
	const {loadSqlite3} = await import('../src/drivers/sqlite3-driver.ts');
	const session = await (await loadSqlite3()).open(':memory:');
	const numbers = Array.from({length: 500}, (_, number) => number);
	const rows = await Promise.all(numbers.map(async (number) => session.all(raw(`SELECT ${number} AS number`))));
	t.deepEqual(
		rows.map(([row]) => row?.number),
		numbers,
	);
	await session.close();
});
