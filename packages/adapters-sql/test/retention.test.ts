import {buildAccount, buildCallEntry, buildRefreshToken, buildServer} from '@signalbox/core/testing';
import test from 'ava';
import {createRetentionStore} from '../src/accounts/retention.store.ts';
import {type Sql, sql} from '../src/sql.ts';
import {connectTo, openTemporary} from './support/temporary.ts';

const retention = {days_by_plan: new Map([['free', 7]]), otherwise: 30};

test('what is too old is found by an index: no look goes through all that is kept', async (t) => {
	const {file} = await openTemporary(t);
	const connection = await connectTo(t, file);
	const asked: Sql[] = [];
	const all = async (statement: Sql) => {
		asked.push(statement);
		return await connection.all(statement);
	};
	const store = createRetentionStore({...connection, all});
	const looks = [
		[store.purgeCalls, 'mcp_calls_by_mcp_server_id_created_at_id (mcp_server_id=? AND created_at<?)'],
		[
			store.purgeApprovals,
			'approvals_by_mcp_server_id_status_expires_at (mcp_server_id=? AND status=? AND expires_at<?)',
		],
		[store.purgeNotifications, 'notifications_by_user_id_created_at_id (user_id=? AND created_at<?)'],
	] as const;
	for (const [look, index] of looks) {
		asked.length = 0;
		t.is(await look(retention, 10), 0);
		const select = asked.at(-1);
		const plan = await connection.all(sql`EXPLAIN QUERY PLAN ${select ?? ''}`);
		const steps = plan.map(({detail}) => String(detail)).filter((step) => / r /.test(step));
		t.is(steps.length, 1);
		t.regex(steps[0] ?? '', /^SEARCH r USING (?:COVERING )?INDEX /);
		t.true(steps[0]?.endsWith(index), steps[0]);
	}
});

test('sums go of every server, however many there are', async (t) => {
	const {database} = await openTemporary(t);
	const {users, mcpServers, callLog, retention: store} = database.stores;
	const {user, team} = buildAccount();
	await users.create({user, team});
	const servers = Array.from({length: 1030}, () => buildServer({user_id: user.id, team_id: team.id}));
	await Promise.all(servers.map(async (server) => mcpServers.create(server, null)));
	const created_at = '2026-01-31T09:30:00.000Z';
	await Promise.all(servers.map(async (server) => callLog.append(buildCallEntry({server, created_at}))));
	t.is(await store.purgeRollups(30), servers.length);
	t.is(await store.purgeRollups(30), 0);
});

test('a family of tokens goes with the last of them', async (t) => {
	let offset = 0;
	const {database, file} = await openTemporary(t, {clockOffset: () => offset});
	const {users, sessions} = database.stores;
	const {user, team} = buildAccount();
	await users.create({user, team});
	for (const lifetime_seconds of [60, 600])
		await sessions.open(buildRefreshToken({user_id: user.id, lifetime_seconds}));
	const {all} = await connectTo(t, file);
	const families = async () => (await all(sql`SELECT id FROM session_families`)).length;
	t.is(await families(), 2);
	offset = 300_000;
	t.is(await sessions.purge(), 1);
	t.is(await families(), 1);
});
