import {openDatabase} from '@signalbox/adapters-sql';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';

test('the first database chooses the SQLite library of the process, and another one is refused', async (t) => {
	const first = await openDatabase({url: 'sqlite::memory:', driver: 'node:sqlite'});
	t.teardown(first.close);
	await t.throwsAsync(openDatabase({url: 'sqlite::memory:', driver: 'sqlite3'}), {
		message: /already uses node:sqlite, so it cannot use sqlite3/,
	});
	const second = await openDatabase({url: 'sqlite::memory:'});
	t.teardown(second.close);
	t.is((await chooseDriver()).name, 'node:sqlite');
});
