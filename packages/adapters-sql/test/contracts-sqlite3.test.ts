import {approvalRaces, rateLimiterContract, storeContract} from '@signalbox/core/testing';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {sqliteHarness} from './support/harness.ts';
import {sqliteLimiters} from './support/limiter-harness.ts';
import {isSqlite3Built} from './support/sqlite3-built.ts';

if (await isSqlite3Built()) {
	storeContract(test, sqliteHarness(test, 'sqlite3', 'file'));
	storeContract(test, sqliteHarness(test, 'sqlite3', 'memory'));
	approvalRaces(test, sqliteHarness(test, 'sqlite3', 'file'));
	rateLimiterContract(test.serial, sqliteLimiters('sqlite3'));
} else {
	test('sqlite3 could not be built here, so node:sqlite is all there is', async (t) => {
		t.is((await chooseDriver()).name, 'node:sqlite');
	});
}
