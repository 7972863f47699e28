import {openDatabase} from '@signalbox/adapters-sql';
import type {LeasedDelivery} from '@signalbox/core';
import {
	buildAcceptable,
	buildAccount,
	buildEndpoint,
	buildId,
	buildPlannedDelivery,
	buildSettlement,
} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {createFilePresence} from '../src/file-presence.ts';
import {openTemporary} from './support/temporary.ts';

/** A database with a delivery that is due and one that is not yet, and what opens it as another process would. */
const open = async (t: ExecutionContext) => {
	const {database, file} = await openTemporary(t);
	const {user, team} = buildAccount();
	await database.stores.users.create({user, team});
	const endpoint = buildEndpoint({user_id: user.id, team_id: team.id});
	await database.stores.endpoints.create(endpoint, null);
	await database.stores.deliveries.recover();
	const outcome = {deliveries: [buildPlannedDelivery(), buildPlannedDelivery({delay_seconds: 3600})]};
	await database.stores.intake.accept(buildAcceptable({endpoint, outcome}));
	const openAnother = async () => {
		const other = await openDatabase({url: `sqlite:${file}`});
		t.teardown(other.close);
		return {...other.stores.deliveries, close: other.close};
	};
	return {database, openAnother};
};

const one = () => ({attempt_ids: [buildId()], per_destination: 1, lease_seconds: 60});

test('[WHK-056] what a process held that is gone is due at once for the next one, as another attempt', async (t) => {
	const {database, openAnother} = await open(t);
	const [held] = await database.stores.deliveries.lease(one());
	await database.close();
	const next = await openAnother();
	t.deepEqual(await next.lease(one()), [], 'nobody has said yet that the lease is over');
	t.is(await next.recover(), 1);
	const [again] = await next.lease(one());
	t.is(again?.id, held?.id);
	t.is(again?.attempt.number, 2);
	const late = buildSettlement({leased: held as LeasedDelivery});
	t.false(await next.settle(late));
});

test('what a process holds that lives is left to it, however often others begin', async (t) => {
	const {database, openAnother} = await open(t);
	const [held] = await database.stores.deliveries.lease(one());
	const [second, third] = [await openAnother(), await openAnother()];
	t.deepEqual(await Promise.all([second.recover(), third.recover(), second.recover()]), [0, 0, 0]);
	t.is(await database.stores.deliveries.recover(), 0, 'nor does it end its own');
	t.deepEqual(await second.lease(one()), []);
	t.true(await database.stores.deliveries.settle(buildSettlement({leased: held as LeasedDelivery})));
});

test('of processes that begin together on what a dead one left, none ends what another has taken', async (t) => {
	const {database, openAnother} = await open(t);
	await database.stores.deliveries.lease(one());
	await database.close();
	const others = await Promise.all(Array.from({length: 4}, openAnother));
	const taken = await Promise.all(
		others.map(async (other) => {
			await other.recover();
			return other.lease(one());
		}),
	);
	t.is(taken.flat().length, 1);
});

test('whoever could not enter while somebody else wrote may try again', async (t) => {
	let tries = 0;
	const presence = createFilePresence(async () => {
		tries += 1;
		if (tries === 1) throw new Error('SQLITE_BUSY: database is locked');
		return {all: async () => [], run: async () => 0, insert: async () => 0, close: async () => undefined} as never;
	});
	let works = 0;
	const work = async () => {
		works += 1;
	};
	await t.throwsAsync(presence.enter(work), {message: /locked/});
	await presence.enter(work);
	await presence.enter(work);
	t.deepEqual([tries, works], [2, 1]);
	await presence.leave();
});
