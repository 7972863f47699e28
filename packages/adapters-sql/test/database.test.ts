import {readdir, rename, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {openDatabase} from '@signalbox/adapters-sql';
import {DomainError} from '@signalbox/core';
import {buildAccount} from '@signalbox/core/testing';
import test from 'ava';
import {raw} from '../src/sql.ts';
import {connectTo, openTemporary, temporaryFolder} from './support/temporary.ts';

test('a backup is a database of its own, for its owner only, and is never written over a file', async (t) => {
	const {database, folder} = await openTemporary(t);
	const {user, team} = buildAccount();
	await database.stores.users.create({user, team});
	const copy = path.join(folder, `it's a copy.db`);
	await database.backup(copy);
	await database.stores.users.update(user.id, {name: 'later'}, user.created_at);
	t.is((await stat(copy)).mode & 0o777, 0o600);
	await t.throwsAsync(database.backup(copy), {code: 'EEXIST'});

	const restored = await openDatabase({url: `sqlite:${copy}`});
	t.teardown(restored.close);
	t.deepEqual(await restored.pending(), []);
	t.deepEqual(await restored.stores.users.all(), [user]);
});

test('a file that is moved away while it is open takes nothing in any more, until it is back', async (t) => {
	const {database, file} = await openTemporary(t);
	const create = () => database.stores.users.create(buildAccount());
	await create();
	await rename(file, `${file}.gone`);
	await t.throwsAsync(database.ping(), {instanceOf: DomainError, code: 'service_unavailable'});
	await t.throwsAsync(database.backup(`${file}.copy`), {instanceOf: DomainError, code: 'service_unavailable'});
	for (const made of [file, `${file}.copy`]) await t.throwsAsync(stat(made), {code: 'ENOENT'});
	const error = await t.throwsAsync(create(), {instanceOf: DomainError, code: 'service_unavailable'});
	t.regex(String(error?.cause), /was removed or replaced while it was open/);
	await writeFile(file, '');
	await t.throwsAsync(database.ping(), {code: 'service_unavailable'});
	await rename(`${file}.gone`, file);
	await database.ping();
	await create();
});

test('a backup that fails leaves no file behind', async (t) => {
	const {database, file, folder} = await openTemporary(t);
	// In it stands what a copy would be made of.
	await rm(`${file}-wal`);
	await writeFile(file, 'not a database'.repeat(1000));
	const copy = path.join(folder, 'copy.db');
	await t.throwsAsync(database.backup(copy));
	await t.throwsAsync(stat(copy), {code: 'ENOENT'});
});

test('a closed database is not copied any more, and no file is left that would pass for a copy', async (t) => {
	const {database, folder} = await openTemporary(t);
	await database.close();
	const copy = path.join(folder, 'copy.db');
	await t.throwsAsync(database.backup(copy), {instanceOf: DomainError, message: 'The database is closed.'});
	await t.throwsAsync(stat(copy), {code: 'ENOENT'});
});

test('a database in memory can be backed up too', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const database = await openDatabase({url: 'sqlite::memory:'});
	t.teardown(database.close);
	await database.migrate();
	const copy = path.join(folder, 'copy.db');
	await database.backup(copy);
	const restored = await openDatabase({url: `sqlite:${copy}`});
	t.teardown(restored.close);
	t.deepEqual(await restored.pending(), []);
});

test('the file is made with its folder, readable by its owner only', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'some', 'where', '100% #1?.db');
	const database = await openDatabase({url: `sqlite:${file}`});
	await database.migrate();
	t.is((await stat(file)).mode & 0o777, 0o600);
	for (const made of [path.dirname(file), path.join(folder, 'some')]) t.is((await stat(made)).mode & 0o777, 0o700);
	await database.close();
});

test('a database that must be there already is not made', async (t) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const url = `sqlite:${path.join(folder, 'some', 'where.db')}`;
	await t.throwsAsync(openDatabase({url, existing: true}), {code: 'ENOENT'});
	t.deepEqual(await readdir(folder), []);
	await (await openDatabase({url})).close();
	await t.notThrowsAsync(async () => (await openDatabase({url, existing: true})).close());
});

test('another kind of address is refused without repeating what may be a password in it', async (t) => {
	const places = ['postgres://user:hunter2@host/db', 'mysql://user:hunter2@host', 'mysql://user:hunter2@'];
	const settings = ['?ssl-mode=MAYBE', '?connections=0', '?connections=many'];
	for (const url of [...places, ...settings.map((setting) => `mysql://user:hunter2@host/db${setting}`)]) {
		const error = await t.throwsAsync(openDatabase({url}));
		t.regex(error?.message ?? '', /^database URL: /);
		t.notRegex(error?.message ?? '', /hunter2/);
	}
});

test('a closed database answers no ping', async (t) => {
	const database = await openDatabase({url: 'sqlite::memory:'});
	await database.ping();
	await database.close();
	await database.close();
	const error = await t.throwsAsync(database.ping());
	t.true(error instanceof DomainError && error.reason === 'service_unavailable');
});

test('every commit reaches the disk, readers do not wait, and nothing is written past the gate', async (t) => {
	const {file} = await openTemporary(t);
	const connection = await connectTo(t, file);
	const settings = await connection.write(async ({all}) => {
		const names = ['journal_mode', 'synchronous', 'foreign_keys', 'wal_autocheckpoint', 'page_size'];
		return Promise.all(names.map(async (name) => Object.values((await all(raw(`PRAGMA ${name}`)))[0] ?? {})[0]));
	});
	t.deepEqual(settings, ['wal', 2, 1, 1024, 4096]);
	await t.throwsAsync(connection.all(raw(`UPDATE users SET name = 'x'`)), {message: /Not available/});
});

test('an unforeseen failure names neither the statement nor what was bound', async (t) => {
	const database = await openDatabase({url: 'sqlite::memory:'});
	t.teardown(database.close);
	const error = await t.throwsAsync(database.stores.users.byEmail('secret@example.com'));
	t.regex(error?.message ?? '', /no such table/);
	t.notRegex(JSON.stringify(error, Object.getOwnPropertyNames(error)), /secret@example|SELECT/);
});
