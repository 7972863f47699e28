import {approvalRaces, storeContract} from '@signalbox/core/testing';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {loadSqlite3} from '../src/drivers/sqlite3-driver.ts';
import {sqliteHarness} from './support/harness.ts';

const isBuilt = await loadSqlite3().then(
	() => true,
	() => false,
);

if (isBuilt) {
	storeContract(test, sqliteHarness('sqlite3', 'file'));
	storeContract(test, sqliteHarness('sqlite3', 'memory'));
	approvalRaces(test, sqliteHarness('sqlite3', 'file'));
} else {
	test('sqlite3 could not be built here, so node:sqlite stands in for it', async (t) => {
		t.is((await chooseDriver()).name, 'node:sqlite');
	});
}
