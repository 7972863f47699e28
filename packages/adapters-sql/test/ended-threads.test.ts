import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {raw} from '../src/sql.ts';
import {connectSqlite, type SqliteConnection} from '../src/sqlite-connection.ts';
import {gateOfFile} from '../src/write-gate.ts';
import {temporaryFolder} from './support/temporary.ts';

const echoService = new URL('support/echo-service.ts', import.meta.url);

const open = async (t: ExecutionContext) => {
	const {folder, remove} = await temporaryFolder();
	t.teardown(remove);
	const file = path.join(folder, 'file.db');
	const driver = await chooseDriver('node:sqlite');
	const connection = await connectSqlite({storage: file, driver, gate: gateOfFile(file).gate, clockOffset: () => 0});
	await connection.write(async ({run}) => run(raw('CREATE TABLE kept (id INTEGER PRIMARY KEY) STRICT')));
	return {connection, folder};
};

const startEcho = ({thread}: SqliteConnection) => {
	const port = thread?.host(echoService, null);
	if (!port) throw new Error('this connection has no thread');
	port.on('message', () => undefined);
	return port;
};

const endThread = async (connection: SqliteConnection): Promise<void> => {
	const port = startEcho(connection);
	port.postMessage('die');
	await once(port, 'close');
};

/** The end of a thread is heard of a bit later than that of its services: whatever it is asked until then is lost. */
const hearOfEnd = async (connection: SqliteConnection): Promise<void> => {
	await connection.write(async () => undefined).catch(() => undefined);
};

const keep = (connection: SqliteConnection, id: number) =>
	connection.write(async ({run}) => run(raw(`INSERT INTO kept (id) VALUES (${id})`)));

const kept = async ({all}: SqliteConnection) => (await all(raw('SELECT id FROM kept ORDER BY id'))).map(({id}) => id);

test('what is written when the thread ends is lost as a whole, and what follows is kept', async (t) => {
	const {connection} = await open(t);
	t.teardown(connection.close);
	await keep(connection, 1);
	const halfDone = connection.write(async ({run}) => {
		await run(raw('INSERT INTO kept (id) VALUES (2)'));
		await endThread(connection);
		await run(raw('INSERT INTO kept (id) VALUES (3)'));
	});
	await t.throwsAsync(halfDone, {name: 'DomainError', message: /^Not available now/});
	await keep(connection, 4);
	t.deepEqual(await kept(connection), [1, 4]);
});

test('services are hosted again once something was written', async (t) => {
	const {connection} = await open(t);
	t.teardown(connection.close);
	await endThread(connection);
	await hearOfEnd(connection);
	await Promise.all([keep(connection, 1), keep(connection, 2)]);
	const port = startEcho(connection);
	port.postMessage('told');
	t.like((await once(port, 'message'))[0], {message: 'told'});
	port.postMessage('close');
	t.deepEqual(await kept(connection), [1, 2]);
});

test('a connection that was closed opens nothing again', async (t) => {
	const {connection, folder} = await open(t);
	await endThread(connection);
	await connection.close();
	await t.throwsAsync(keep(connection, 1));
	await t.throwsAsync(kept(connection));
	t.deepEqual(readdirSync(folder), ['file.db']);
});
