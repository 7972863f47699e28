import {openDatabase} from '@signalbox/adapters-sql';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {createLogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';

const missing = await mariadbIsMissing();

const month = {from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z'};
const created_at = '2026-01-31T09:30:00.000Z';

const open = async (t: ExecutionContext) => {
	const {url, query, drop} = await createLogicalDatabase();
	t.teardown(drop);
	const database = await openDatabase({url});
	t.teardown(database.close);
	await database.migrate();
	const {user, team} = buildAccount();
	await database.stores.users.create({user, team});
	const addServer = async () => {
		const server = buildServer({user_id: user.id, team_id: team.id});
		await database.stores.mcpServers.create(server, null);
		return server;
	};
	const unfolded = async (): Promise<number> => {
		const rows = await query('SELECT COUNT(*) AS waiting FROM mcp_calls WHERE unfolded = 1');
		return Number((rows as readonly {waiting: unknown}[])[0]?.waiting);
	};
	return {url, ...database.stores, addServer, unfolded, team_id: team.id};
};

type Opened = Awaited<ReturnType<typeof open>>;

const onServer = (title: string, run: (t: ExecutionContext, opened: Opened) => Promise<void>): void => {
	test(title, async (t) => {
		if (missing === undefined) return run(t, await open(t));
		t.log(missing);
		t.pass();
	});
};

const callsOf = ({by_day}: Awaited<ReturnType<Opened['calls']['sums']>>): number =>
	by_day.reduce((sum, {calls}) => sum + calls, 0);

onServer('what calls add to the rollups is folded in while they come, and before somebody reads', async (t, opened) => {
	const {callLog, calls, addServer, unfolded, team_id} = opened;
	const server = await addServer();
	// Each waits for its commit, and so is a group of its own.
	for (let logged = 0; logged < 300; logged += 1) await callLog.append(buildCallEntry({server, created_at}));
	while ((await unfolded()) > 200);
	t.is(callsOf(await calls.sums(team_id, month)), 300);
	t.is(await unfolded(), 0);
});

onServer(
	'what a process leaves behind is folded in by another one',
	async (t, {url, callLog, addServer, ...opened}) => {
		const server = await addServer();
		for (let logged = 0; logged < 5; logged += 1) await callLog.append(buildCallEntry({server, created_at}));
		const other = await openDatabase({url});
		t.teardown(other.close);
		await other.stores.callLog.append(buildCallEntry({server, created_at}));
		while ((await opened.unfolded()) > 5);
		t.is(callsOf(await other.stores.calls.sums(opened.team_id, month)), 6);
	},
);

onServer('more than one statement takes is folded in once, all of it', async (t, opened) => {
	const {url, calls, addServer, unfolded, team_id} = opened;
	const server = await addServer();
	const databases = await Promise.all([1, 2, 3, 4, 5].map(async () => openDatabase({url})));
	const append = async ({stores}: (typeof databases)[number], count: number) => {
		// One after the other: each is a group of its own.
		for (let logged = 0; logged < count; logged += 1) await stores.callLog.append(buildCallEntry({server, created_at}));
	};
	// The first group of a process is folded in, with what others have appended by then; then fewer than it folds in again.
	await Promise.all(databases.map(async (database) => append(database, 1)));
	while ((await unfolded()) > 0);
	await Promise.all(databases.map(async (database) => append(database, 120)));
	await Promise.all(databases.map(async ({close}) => close()));
	t.true((await unfolded()) > 512, 'a statement takes 512');
	t.is(callsOf(await calls.sums(team_id, month)), 605);
	t.is(await unfolded(), 0);
	t.is(callsOf(await calls.sums(team_id, month)), 605);
});

onServer('a server that is deleted takes nothing with it that calls of another one add', async (t, opened) => {
	const {callLog, calls, mcpServers, addServer, team_id} = opened;
	const [gone, kept] = [await addServer(), await addServer()];
	// They wait for each other, and so are groups of both.
	const servers = Array.from({length: 40}, (_, index) => (index % 2 === 0 ? gone : kept));
	await Promise.all(servers.map(async (server) => callLog.append(buildCallEntry({server, created_at}))));
	await mcpServers.delete([team_id], gone.id);
	t.is(callsOf(await calls.sums(team_id, month)), 20);
});

onServer('calls that retention deletes before they were folded in stay in the rollups', async (t, opened) => {
	const {callLog, calls, retention, addServer, team_id} = opened;
	const server = await addServer();
	await Promise.all([1, 2, 3].map(async () => callLog.append(buildCallEntry({server, created_at}))));
	t.is(await retention.purgeCalls({otherwise: 1, days_by_plan: new Map()}, 10), 3);
	t.is(callsOf(await calls.sums(team_id, month)), 3);
});
