import {openDatabase} from '@signalbox/adapters-sql';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import test from 'ava';
import {openTemporary} from './support/temporary.ts';

test('200 writers, a log at full speed and readers at once: none starves, none fails', async (t) => {
	const {database, file} = await openTemporary(t);
	const second = await openDatabase({url: `sqlite:${file}`});
	t.teardown(second.close);
	const {user, team} = buildAccount();
	await database.stores.users.create({user, team});
	const server = buildServer({user_id: user.id, team_id: team.id});
	await database.stores.mcpServers.create(server, null);
	const reservation = {mcp_server_id: server.id, month: '2026-01', tool_name: 'send_mail', cents: 1};
	const spend = async ({stores}: typeof database) => {
		for (let turn = 0; turn < 5; turn += 1) await stores.spend.reserve(reservation, 900);
	};
	const log = async () => {
		for (let turn = 0; turn < 20; turn += 1) await database.stores.callLog.append(buildCallEntry({server}));
	};
	const read = async () => {
		for (let turn = 0; turn < 20; turn += 1) await database.stores.mcpServers.bySlug(server.slug);
	};
	await Promise.all([
		...Array.from({length: 100}, async () => spend(database)),
		...Array.from({length: 100}, async () => spend(second)),
		...Array.from({length: 50}, log),
		...Array.from({length: 10}, read),
	]);
	const [report] = await database.stores.spend.report(server.id, '2026-01');
	t.deepEqual(report, {tool_name: 'send_mail', total_cents: 900, call_count: 900});
	t.is(await database.stores.calls.count(team.id, {}), 1000);
});

test('one of many writes that share a commit fails alone', async (t) => {
	const {database} = await openTemporary(t);
	const accounts = Array.from({length: 20}, (_, index) => buildAccount({email_key: `user${index % 19}@example.com`}));
	const outcomes = await Promise.allSettled(accounts.map(async (account) => database.stores.users.create(account)));
	t.is(outcomes.filter(({status}) => status === 'fulfilled').length, 19);
	t.is((await database.stores.users.all()).length, 19);
});
