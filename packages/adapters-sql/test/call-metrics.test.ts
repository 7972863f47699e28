import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import type {Connection} from '../src/connection.ts';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {createCallStore} from '../src/mcp/calls.store.ts';
import {raw, render, type Sql} from '../src/sql.ts';
import {connectSqlite} from '../src/sqlite-connection.ts';
import {gateOfFile} from '../src/write-gate.ts';
import {openTemporary} from './support/temporary.ts';

/** The connection, with a note of each statement it is asked and of how many rows that answered. */
const overheard = (connection: Connection) => {
	const heard: {text: string; rows: number}[] = [];
	const all = async (statement: Sql) => {
		const rows = await connection.all(statement);
		heard.push({text: render(statement).text, rows: rows.length});
		return rows;
	};
	return {heard, connection: {...connection, all}};
};

const addServer = async ({stores}: Awaited<ReturnType<typeof openTemporary>>['database']) => {
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	const server = buildServer({user_id: user.id, team_id: team.id});
	await stores.mcpServers.create(server, null);
	return {server, team};
};

const openBeside = async (t: ExecutionContext, file: string) => {
	const {gate} = gateOfFile(file);
	const connection = await connectSqlite({storage: file, driver: await chooseDriver(), gate, clockOffset: () => 0});
	t.teardown(connection.close);
	return connection;
};

test('[MCP-075] metrics are sums that the database made: no row of a call is read', async (t) => {
	const {database, file} = await openTemporary(t);
	const {server, team} = await addServer(database);
	const created_at = '2026-01-31T09:30:00.000Z';
	const entry = () => buildCallEntry({server, created_at, method: 'tools/call', tool_name: 'get_item', duration_ms: 7});
	await Promise.all(Array.from({length: 500}, () => database.stores.callLog.append(entry())));

	const {heard, connection} = overheard(await openBeside(t, file));
	const hours = {from: '2026-01-31T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', server_id: undefined};
	const sums = await createCallStore(connection).sums(team.id, hours);
	t.like(sums, {
		by_tool: [{tool_name: 'get_item', calls: 500, duration_ms: 3500}],
		by_day: [{date: '2026-01-31', calls: 500, duration_ms: 3500}],
	});
	t.deepEqual(
		heard.map(({rows}) => rows),
		[1, 1, 1],
		'the server, the tool, the day',
	);
	t.notRegex(heard.map(({text}) => text).join(), /\bmcp_calls\b/);
});

test('what calls add to the sums does not pile up beside them, nor does what they are emptied of stay', async (t) => {
	const {database, file} = await openTemporary(t);
	const {server, team} = await addServer(database);
	const connection = await openBeside(t, file);
	const rowsOf = async (table: string) => {
		const rows = await connection.all(raw(`SELECT COUNT(*) AS rows_there FROM ${table}`));
		return Number(rows[0]?.rows_there);
	};
	const log = async (count: number) => {
		const entries = Array.from({length: count}, (_, index) => buildCallEntry({server, tool_name: `tool_${index}`}));
		for (const entry of entries) await database.stores.callLog.append(entry);
		return entries;
	};
	const entries = await log(600);
	t.true((await rowsOf('mcp_call_rollup_deltas')) < 300);
	t.true((await rowsOf('mcp_call_rollups')) >= 300);
	for (const {id} of entries) await database.stores.calls.delete([team.id], id);
	await log(600);
	await Promise.all(Array.from({length: 600}, () => database.stores.callLog.append(buildCallEntry({server}))));
	await database.stores.retention.purgeRollups(36_500);
	t.is(await rowsOf('mcp_call_rollup_deltas'), 0);
	t.is(await rowsOf('mcp_call_rollups'), await rowsOf('mcp_call_day_rollups'));
	t.is(await rowsOf('mcp_call_rollups'), 601);
});
