import path from 'node:path';
import {text} from 'node:stream/consumers';
import {openDatabase} from '@signalbox/adapters-sql';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {startProgram} from './support/processes.ts';
import {isSqlite3Built} from './support/sqlite3-built.ts';
import {temporaryFolder} from './support/temporary.ts';

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

test('the thread that writes the log uses the same library as the one that started it', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const program = startProgram('worker-library-program', path.join(folder, 'signalbox.db'));
	t.is(program.stdout && (await text(program.stdout)), '[]');
});

test('node:sqlite is the default, and where it cannot be loaded, sqlite3 stands in', async (t) => {
	const program = startProgram('driver-program');
	t.is(program.stdout && (await text(program.stdout)), 'node:sqlite');
	if (!(await isSqlite3Built())) return;
	const without = startProgram({name: 'driver-program', preload: 'without-node-sqlite'});
	t.is(without.stdout && (await text(without.stdout)), 'sqlite3');
});
