import {createInterface} from 'node:readline';
import {setImmediate as turn} from 'node:timers/promises';
import {DomainError} from '@signalbox/core';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import test from 'ava';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {writeCallsHere} from '../src/fast-writers.ts';
import {createGroupWriter} from '../src/mcp/call-log/group-writer.ts';
import {createWorkerWriter} from '../src/mcp/call-log/worker-writer.ts';
import {raw} from '../src/sql.ts';
import {connectSqlite} from '../src/sqlite-connection.ts';
import {gateOfFile} from '../src/write-gate.ts';
import {startProgram} from './support/processes.ts';
import {openTemporary} from './support/temporary.ts';

const addServer = async ({stores}: Awaited<ReturnType<typeof openTemporary>>['database']) => {
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	const server = buildServer({user_id: user.id, team_id: team.id});
	await stores.mcpServers.create(server, null);
	return {user, team, server};
};

const always = {from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z'};

/** The pieces of the log, with a worker of the test's choice. */
const openLog = async (file: string, url?: URL, in_session = false) => {
	const {memory, gate} = gateOfFile(file);
	const driver = await chooseDriver();
	const connection = await connectSqlite({storage: file, driver, gate, clockOffset: () => 0});
	const writer = createWorkerWriter({
		data: {storage: file, driver: driver.name, gate: memory},
		fallback: writeCallsHere(connection),
		...(url ? {url} : {}),
		...(in_session ? {thread: connection.thread} : {}),
	});
	return {connection, writer};
};

/** Written on this thread until the worker is ready; then it gets one group, and fails by it. */
const untilItFails = async (append: () => Promise<void>) => {
	for (let logged = 0; ; logged += 1) {
		try {
			await append();
		} catch (failure) {
			return {logged, failure};
		}
	}
};

test('what was appended before a kill -9 is there afterwards, with its rollups', async (t) => {
	const {database, file} = await openTemporary(t);
	const {team, server} = await addServer(database);
	const program = startProgram('logging-program', file, JSON.stringify(server));
	const acknowledged: string[] = [];
	if (!program.stdout) throw new Error('no output');
	for await (const line of createInterface({input: program.stdout})) {
		acknowledged.push(line);
		if (acknowledged.length === 3000) program.kill('SIGKILL');
	}
	t.true(acknowledged.length >= 3000);
	const found = await Promise.all(acknowledged.map(async (id) => database.stores.calls.get([team.id], id)));
	t.is(found.filter((call) => call === undefined).length, 0);

	const logged = await database.stores.calls.count(team.id, {});
	const {by_tool: sums} = await database.stores.calls.sums(team.id, always);
	t.is(
		sums.reduce((sum, {calls}) => sum + calls, 0),
		logged,
	);
	const {connection} = await openLog(file);
	t.teardown(connection.close);
	t.deepEqual(await connection.all(raw('PRAGMA integrity_check')), [{integrity_check: 'ok'}]);
});

test('many entries at once go through the worker thread whole and in groups', async (t) => {
	const {database, file} = await openTemporary(t);
	const {team, server} = await addServer(database);
	const {connection, writer} = await openLog(file);
	t.teardown(connection.close);
	const groups: number[] = [];
	const log = createGroupWriter(async (entries) => {
		groups.push(entries.length);
		await writer.write(entries);
	});
	const body = Buffer.from('{"text":"\u00e9\u{1f600}\u0000"}');
	const entries = Array.from({length: 1500}, () =>
		buildCallEntry({server, request_body: body, response_body: new Uint8Array()}),
	);
	await Promise.all(entries.map(log.append));
	await writer.close();
	t.true(groups.every((size) => size <= 256));
	t.is(await database.stores.calls.count(team.id, {}), 1500);
	const call = await database.stores.calls.get([team.id], entries.at(-1)?.id ?? '');
	t.is(call?.request_body, body.toString());
	t.is(call?.response_body, '');
	const listed = await database.stores.calls.list(team.id, {}, {limit: 1, offset: 0, body_chars: 3});
	t.is(listed.data[0]?.request_body, '{"t');
	t.is(listed.data[0]?.response_body, '');
});

test('calls that come in one turn share a commit, and none waits for those of a later one', async (t) => {
	const groups: number[] = [];
	const log = createGroupWriter(async (entries) => void groups.push(entries.length));
	const {user, team} = buildAccount();
	const server = buildServer({user_id: user.id, team_id: team.id});
	const append = async () => log.append(buildCallEntry({server}));
	await Promise.all([append(), append(), append()]);
	t.deepEqual(groups, [3]);
	const first = append();
	await turn();
	await turn();
	await Promise.all([first, append()]);
	t.deepEqual(groups, [3, 1, 1]);
});

const dyingService = new URL('./support/dying-log-service.ts', import.meta.url);

test('a worker that dies in a transaction fails the entries it held, and nothing after them', async (t) => {
	const {database, file} = await openTemporary(t);
	const {user, team, server} = await addServer(database);
	const {connection, writer} = await openLog(file, dyingService);
	t.teardown(connection.close);
	const log = createGroupWriter(writer.write);
	const append = async () => log.append(buildCallEntry({server}));
	const {logged, failure} = await untilItFails(append);
	t.true(failure instanceof DomainError && failure.reason === 'service_unavailable');
	await append();
	t.is(await database.stores.calls.count(team.id, {}), logged + 1);
	t.is((await database.stores.users.byId(user.id))?.name, user.name);
	await writer.close();
});

test('a worker that dies again and again, and takes the thread of the session with it, is started each time', async (t) => {
	const {database, file} = await openTemporary(t);
	const {user, team, server} = await addServer(database);
	const {connection, writer} = await openLog(file, dyingService, true);
	t.teardown(connection.close);
	const log = createGroupWriter(writer.write);
	const append = async () => log.append(buildCallEntry({server}));
	const runs: number[] = [];
	for (let failures = 0; failures < 8; failures += 1) {
		const {logged, failure} = await untilItFails(append);
		t.true(failure instanceof DomainError && failure.reason === 'service_unavailable');
		runs.push(logged);
	}
	// The end of a thread may be heard of by one more that fails.
	t.true(runs.filter((logged) => logged > 0).length >= 4, `logged before each failure: ${runs.join(', ')}`);
	t.is(
		await database.stores.calls.count(team.id, {}),
		runs.reduce((sum, logged) => sum + logged),
	);
	t.is((await database.stores.users.byId(user.id))?.name, user.name);
	await writer.close();
});

test('a worker whose disk is full says so', async (t) => {
	const {database, file} = await openTemporary(t);
	const {server} = await addServer(database);
	const {connection, writer} = await openLog(file, new URL('./support/full-log-service.ts', import.meta.url));
	t.teardown(connection.close);
	const log = createGroupWriter(writer.write);
	const {failure} = await untilItFails(async () => log.append(buildCallEntry({server})));
	await writer.close();
	t.true(failure instanceof DomainError && failure.reason === 'service_unavailable');
	t.like((failure as DomainError).cause, {message: 'SQLITE_FULL: database or disk is full'});
});

test('an entry that cannot be written fails alone', async (t) => {
	const {database} = await openTemporary(t);
	const {team, server} = await addServer(database);
	const known = buildCallEntry({server});
	await database.stores.callLog.append(known);
	const outcomes = await Promise.allSettled(
		[buildCallEntry({server}), known, buildCallEntry({server})].map(database.stores.callLog.append),
	);
	t.deepEqual(
		outcomes.map(({status}) => status),
		['fulfilled', 'rejected', 'fulfilled'],
	);
	t.is(await database.stores.calls.count(team.id, {}), 3);
});

test('close writes what waits', async (t) => {
	const {database, file} = await openTemporary(t);
	const {team, server} = await addServer(database);
	const appends = Array.from({length: 600}, async () => database.stores.callLog.append(buildCallEntry({server})));
	await Promise.all([...appends, database.close()]);
	const {connection} = await openLog(file);
	t.teardown(connection.close);
	const [row] = await connection.all(raw('SELECT COUNT(*) AS count FROM mcp_calls'));
	t.is(row?.count, 600);
	t.truthy(team);
});

test('a tool name of any length is counted under its own name', async (t) => {
	const {database} = await openTemporary(t);
	const {team, server} = await addServer(database);
	const names = ['x'.repeat(5000), `${'x'.repeat(4999)}y`, 'tool', 'tool '];
	await Promise.all(
		names.map(async (tool_name) => database.stores.callLog.append(buildCallEntry({server, tool_name}))),
	);
	const {by_tool: sums} = await database.stores.calls.sums(team.id, always);
	t.deepEqual(sums.map(({tool_name}) => tool_name).sort(), [...names].sort());
});
