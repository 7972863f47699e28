import {openDatabase} from '@signalbox/adapters-sql';
import {buildAcceptable, buildAccount, buildEndpoint, buildId} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {createLogicalDatabase, type LogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';
import {until} from '../../../test/support/mcp/until.ts';
import {createMysqlPresence} from '../src/mysql-presence.ts';

/** Opens the database as a process of its own would. */
const openOn = async (t: ExecutionContext, {url}: LogicalDatabase) => {
	const database = await openDatabase({url});
	t.teardown(database.close);
	return database;
};

/** A process that holds the lease of a webhook. */
const openHolder = async (t: ExecutionContext, logical: LogicalDatabase) => {
	const {stores, migrate} = await openOn(t, logical);
	await migrate();
	await stores.deliveries.recover();
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	const endpoint = buildEndpoint({user_id: user.id, team_id: team.id});
	await stores.endpoints.create(endpoint, null);
	await stores.intake.accept(buildAcceptable({endpoint}));
	await stores.deliveries.lease({attempt_ids: [buildId()], per_destination: 1, lease_seconds: 60});
};

/** The connection that says that somebody is there. */
const attendant = async ({query}: LogicalDatabase): Promise<number | null> => {
	const [row] = (await query("SELECT IS_USED_LOCK(CONCAT('signalbox.present.0.', MD5(DATABASE()))) AS id")) as {
		id: number | null;
	}[];
	return row?.id ?? null;
};

test('a process that has lost its connection counts as there again, and what it holds is left to it', async (t) => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) {
		t.log(`not tried: ${missing}`);
		t.pass();
		return;
	}
	const logical = await createLogicalDatabase();
	t.teardown(logical.drop);
	await openHolder(t, logical);
	const first = await attendant(logical);
	await logical.query(`KILL ${first}`);
	await until(async () => ![first, null].includes(await attendant(logical)), 'another connection');
	t.is(await (await openOn(t, logical)).stores.deliveries.recover(), 0);
});

test('a process that could not enter is not there, and may try again', async (t) => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) {
		t.log(`not tried: ${missing}`);
		t.pass();
		return;
	}
	const logical = await createLogicalDatabase();
	t.teardown(logical.drop);
	const presence = createMysqlPresence(logical.url);
	t.teardown(presence.leave);
	await t.throwsAsync(
		presence.enter(async () => {
			throw new Error('the connection is lost');
		}),
	);
	t.is(await attendant(logical), null);
	let works = 0;
	const work = async () => {
		works += 1;
	};
	await Promise.all([presence.enter(work), presence.enter(work)]);
	t.is(works, 1);
	t.not(await attendant(logical), null);
});

test('whoever has left does not enter again', async (t) => {
	const presence = createMysqlPresence('mysql://root@127.0.0.1:1/none');
	await presence.leave();
	await t.throwsAsync(
		presence.enter(async () => undefined),
		{message: 'The database was closed.'},
	);
});
