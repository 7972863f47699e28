import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import test from 'ava';
import type {Connection} from '../src/connection.ts';
import {createCallStore} from '../src/mcp/calls.store.ts';
import {type Sql, textOf} from '../src/sql.ts';
import {connectTo, openTemporary} from './support/temporary.ts';

/** The connection, with a note of each statement it is asked and of how many rows that answered. */
const overheard = (connection: Connection) => {
	const heard: {text: string; rows: number}[] = [];
	const all = async (statement: Sql) => {
		const rows = await connection.all(statement);
		heard.push({text: textOf(statement), rows: rows.length});
		return rows;
	};
	return {heard, connection: {...connection, all}};
};

test('[MCP-075] metrics are sums that the database made: no row of a call is read', async (t) => {
	const {database, file} = await openTemporary(t);
	const {user, team} = buildAccount();
	await database.stores.users.create({user, team});
	const server = buildServer({user_id: user.id, team_id: team.id});
	await database.stores.mcpServers.create(server, null);
	const created_at = '2026-01-31T09:30:00.000Z';
	const entry = () => buildCallEntry({server, created_at, method: 'tools/call', tool_name: 'get_item', duration_ms: 7});
	await Promise.all(Array.from({length: 500}, () => database.stores.callLog.append(entry())));

	const {heard, connection} = overheard(await connectTo(t, file));
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
