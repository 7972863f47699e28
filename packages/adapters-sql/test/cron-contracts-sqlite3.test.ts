import {chainRaces, cronStoreContract} from '@signalbox/core/testing';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {sqliteHarness} from './support/harness.ts';
import {isSqlite3Built} from './support/sqlite3-built.ts';

if (await isSqlite3Built()) {
	cronStoreContract(test, sqliteHarness(test, 'sqlite3', 'file'));
	cronStoreContract(test, sqliteHarness(test, 'sqlite3', 'memory'));
	chainRaces(test, sqliteHarness(test, 'sqlite3', 'file'));
} else {
	test('sqlite3 could not be built here, so node:sqlite is all there is', async (t) => {
		t.is((await chooseDriver()).name, 'node:sqlite');
	});
}
