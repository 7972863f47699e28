import {openDatabase} from '@signalbox/adapters-sql';
import {buildAcceptable, buildAccount, buildEndpoint, buildId} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {createLogicalDatabase, type LogicalDatabase, mariadbIsMissing} from '../../../test/support/mariadb.ts';
import {until} from '../../../test/support/mcp/until.ts';

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
