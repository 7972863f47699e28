import {approvalRaces, storeContract} from '@signalbox/core/testing';
import test from 'ava';
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
	test.skip('the contract on sqlite3: the native module could not be built here', (t) => t.pass());
}
