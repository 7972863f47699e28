import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {openDatabase} from '@signalbox/adapters-sql';
import test from 'ava';
import {createLogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';
import {temporaryFolder} from './support/temporary.ts';

const foreign = 'CREATE TABLE audit_entries (id VARCHAR(64) PRIMARY KEY, login VARCHAR(64))';
const refused = {message: /tables that Signalbox did not make \(audit_entries\): give it an empty database/};

test('a file that holds a table of somebody else by one of our names is refused, and left as it is', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'app.db');
	const theirs = new DatabaseSync(file);
	theirs.exec(foreign);
	const database = await openDatabase({url: `sqlite:${file}`});
	await t.throwsAsync(database.migrate(), refused);
	await database.close();
	t.deepEqual(theirs.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all(), [
		{__proto__: null, name: 'audit_entries'},
	]);
	theirs.close();
});

test('so is such a database of MariaDB', async (t) => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) {
		t.log(`not tried: ${missing}`);
		t.pass();
		return;
	}
	const logical = await createLogicalDatabase();
	t.teardown(logical.drop);
	await logical.query(foreign);
	const database = await openDatabase({url: logical.url});
	t.teardown(database.close);
	await t.throwsAsync(database.migrate(), refused);
	t.is(((await logical.query('SHOW TABLES')) as readonly unknown[]).length, 1);
});
