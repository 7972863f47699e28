import {openDatabase, type SqlDatabase} from '@signalbox/adapters-sql';
import type {EndpointRecord} from '@signalbox/core';
import {createIds} from '@signalbox/core/node';
import {
	buildAcceptable,
	buildAccount,
	buildClaim,
	buildEndpoint,
	buildPlannedDelivery,
	buildSettlement,
} from '@signalbox/core/testing';
import test from 'ava';
import type {Connection, Transaction} from '../src/connection.ts';
import {sqliteDialect} from '../src/dialects/sqlite.ts';
import {alwaysPresent} from '../src/presence.ts';
import {raw, type Sql, sql, textOf} from '../src/sql.ts';
import {acceptOrder} from '../src/webhook/accept-order.ts';
import {createDeliveryStore} from '../src/webhook/deliveries.store.ts';
import {createEndpointStore} from '../src/webhook/endpoints.store.ts';
import {createGroupedWriter} from '../src/webhook/grouped-writer.ts';
import {createIntake} from '../src/webhook/intake.store.ts';
import {lanesOf} from '../src/webhook/lanes.ts';
import {writeWebhooksHere} from '../src/webhook/writer.ts';
import {connectTo, openTemporary} from './support/temporary.ts';

const addEndpoint = async ({stores}: SqlDatabase): Promise<EndpointRecord> => {
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	const endpoint = buildEndpoint({user_id: user.id, team_id: team.id});
	await stores.endpoints.create(endpoint, null);
	return endpoint;
};

const ids = createIds();

const range = <T>(length: number, make: () => T): T[] => Array.from({length}, make);

const attemptIds = (count: number) => range(count, ids.next);

/** The pieces of the stores over a connection that counts what goes to SQLite, an INSERT of many rows as its chunks. */
const openCounted = async (file: string, close: (work: () => Promise<void>) => void) => {
	const connection = await connectTo({teardown: close}, file);
	let statements = 0;
	const counted = <A extends readonly unknown[], R>(ask: (...args: A) => R) => {
		return (...args: A): R => {
			statements += 1;
			return ask(...args);
		};
	};
	const countedTransaction = (transaction: Transaction): Transaction => ({
		...transaction,
		all: counted(transaction.all),
		run: counted(transaction.run),
		insert: async (table, records) => {
			for (let left = records.length; left > 0; left -= 2 ** Math.min(5, Math.floor(Math.log2(left)))) statements += 1;
			await transaction.insert(table, records);
		},
	});
	const counting: Connection = {
		...connection,
		all: counted(connection.all),
		write: async (work) => {
			// BEGIN and COMMIT.
			statements += 2;
			return connection.write(async (transaction) => work(countedTransaction(transaction)));
		},
	};
	return {counting, statements: () => statements};
};

test('an event that goes to one destination takes four statements at most, from its endpoint to what came of it', async (t) => {
	const {database, file} = await openTemporary(t);
	const endpoint = await addEndpoint(database);
	const {counting, statements} = await openCounted(file, t.teardown);
	const writer = createGroupedWriter(writeWebhooksHere(counting));
	const [endpoints, intake] = [createEndpointStore(counting), createIntake(counting, writer)];
	const deliveries = createDeliveryStore(counting, writer, alwaysPresent);
	const known = await endpoints.pipelineBySlug(endpoint.slug);
	const before = statements();
	const receive = async () => {
		await endpoints.pipelineBySlug(endpoint.slug, known);
		const first = {ids: attemptIds(1), per_destination: 100, lease_seconds: 60};
		const accepted = await intake.accept(buildAcceptable({endpoint}), first);
		if (accepted.outcome === 'over_limit') return;
		for (const leased of accepted.leased) t.true(await deliveries.settle(buildSettlement({leased})));
	};
	const sender = async () => {
		for (let turn = 0; turn < 20; turn += 1) await receive();
	};
	await Promise.all(range(32, sender));
	const {total} = await database.stores.webhookEvents.list(
		endpoint.team_id,
		{status: 'delivered'},
		{limit: 1, offset: 0, body_chars: 1},
	);
	t.is(total, 640);
	const each = (statements() - before) / total;
	t.log(`${each.toFixed(2)} statements each`);
	t.true(each <= 4, `${each}`);
});

test('[MID-063] of a thousand equal claims at once exactly one is first, whatever thread writes', async (t) => {
	const {database} = await openTemporary(t);
	const endpoint = await addEndpoint(database);
	const claim = buildClaim();
	const accepted = await Promise.all(
		range(1000, async () => database.stores.intake.accept(buildAcceptable({endpoint, claims: [claim]}))),
	);
	const statuses = Map.groupBy(accepted, (each) => (each.outcome === 'accepted' ? each.status : each.outcome));
	t.is(statuses.get('pending')?.length, 1);
	t.is(statuses.get('duplicate')?.length, 999);
});

test('processes that lease at once share what is due, and no destination gets more than it may', async (t) => {
	const {database, file} = await openTemporary(t);
	const second = await openDatabase({url: `sqlite:${file}`});
	t.teardown(second.close);
	const endpoint = await addEndpoint(database);
	const deliver = async (destination_key: string) =>
		database.stores.intake.accept(
			buildAcceptable({endpoint, outcome: {deliveries: [buildPlannedDelivery({destination_key})]}}),
		);
	await Promise.all([...range(60, async () => deliver('a')), ...range(8, async () => deliver('b'))]);
	const lease = async ({stores}: SqlDatabase) =>
		stores.deliveries.lease({attempt_ids: attemptIds(4), per_destination: 10, lease_seconds: 60});
	const all = (await Promise.all(range(10, () => [lease(database), lease(second)]).flat())).flat();
	const byKey = Map.groupBy(all, ({destination_key}) => destination_key);
	t.is(new Set(all.map(({id}) => id)).size, all.length);
	t.deepEqual([byKey.get('a')?.length, byKey.get('b')?.length], [10, 8]);
});

test('a group of webhooks has room for their traces, too', async (t) => {
	const groups: number[] = [];
	const {accept} = createGroupedWriter(async ({orders}) => {
		groups.push(orders.length);
		return {settled: [], leased: [], accepted: orders.map(() => ({outcome: 'over_limit'}))};
	});
	const endpoint = buildEndpoint({user_id: ids.next(), team_id: ids.next()});
	const {trace} = buildAcceptable({endpoint}).event;
	const result = {body: 'x'.repeat(3 * 1024 * 1024)};
	const order = acceptOrder(
		buildAcceptable({endpoint, event: {trace: {...trace, pipeline: {...trace.pipeline, result}}}}),
		undefined,
	);
	await Promise.all(range(5, async () => accept(order)));
	t.deepEqual(groups, [2, 2, 1]);
});

test('an event that is stored already is refused alone', async (t) => {
	const {database} = await openTemporary(t);
	const endpoint = await addEndpoint(database);
	const known = buildAcceptable({endpoint});
	await database.stores.intake.accept(known);
	const orders = [buildAcceptable({endpoint}), known, buildAcceptable({endpoint})];
	const outcomes = await Promise.allSettled(orders.map(async (order) => database.stores.intake.accept(order)));
	t.deepEqual(
		outcomes.map(({status}) => status),
		['fulfilled', 'rejected', 'fulfilled'],
	);
});

test('close writes what waits', async (t) => {
	const {database, file} = await openTemporary(t);
	const endpoint = await addEndpoint(database);
	const accepts = range(600, async () => database.stores.intake.accept(buildAcceptable({endpoint})));
	const [accepted] = await Promise.all([Promise.all(accepts), database.close()]);
	t.true(accepted.every(({outcome}) => outcome === 'accepted'));
	const after = await openDatabase({url: `sqlite:${file}`});
	t.teardown(after.close);
	t.is((await after.stores.webhookEvents.keys(endpoint.team_id, {}, {after: null, limit: 1000})).length, 600);
});

test('a backlog of one destination is passed over by the index', async (t) => {
	const {database, file} = await openTemporary(t);
	await addEndpoint(database);
	const asked: Sql[] = [];
	const {counting} = await openCounted(file, t.teardown);
	const all: Connection['all'] = async (statement) => {
		asked.push(statement);
		return counting.all(statement);
	};
	const writer = createGroupedWriter(writeWebhooksHere(counting));
	const deliveries = createDeliveryStore({...counting, all}, writer, alwaysPresent);
	await deliveries.nextDue();
	const plan = await counting.all(sql`EXPLAIN QUERY PLAN ${asked[0] ?? raw('')}`);
	const steps = plan.map(({detail}) => String(detail)).filter((step) => /\b[dt]\b/.test(step));
	t.true(steps.length >= 4);
	for (const step of steps) t.regex(step, /^SEARCH [dt] USING (?:COVERING )?INDEX webhook_deliveries_in_lanes/);
});

test('what waits since before lanes were those of users is leased like anything else, and counts for its destination', async (t) => {
	const {database, file} = await openTemporary(t);
	const endpoint = await addEndpoint(database);
	const outcome = () => ({deliveries: range(2, () => buildPlannedDelivery({destination_key: '{{env.A}} team user'}))});
	await database.stores.intake.accept(buildAcceptable({endpoint, outcome: outcome()}));
	const {counting} = await openCounted(file, t.teardown);
	const bare = sql`UPDATE webhook_deliveries SET destination_key = ${'{{env.A}} team user'}`;
	t.is(await counting.write(async ({run}) => run(bare)), 2);
	await database.stores.intake.accept(buildAcceptable({endpoint, outcome: outcome()}));
	const lease = async (per_destination: number) =>
		database.stores.deliveries.lease({attempt_ids: attemptIds(10), per_destination, lease_seconds: 60});
	const leased = await lease(3);
	t.is(leased.length, 3);
	t.deepEqual([...new Set(leased.map(({destination_key}) => destination_key))], ['{{env.A}} team user']);
	t.is((await lease(10)).length, 1);
});

test('as many lanes as are asked for in one statement make a text that stays prepared', (t) => {
	const lanes = range(6, () => ({destination_key: 'https://a.example', user_id: 'user'}));
	const [statement, another] = lanesOf(sqliteDialect, lanes, {now: '2026-01-01 00:00:00.000', holder: 'process'});
	t.is(another, undefined);
	const length = statement && textOf(statement).length;
	t.true(length !== undefined && length <= 4096, `${length} characters`);
});

test('what a caller puts into a request besides is left out, and keeps no later one waiting', async (t) => {
	const {database} = await openTemporary(t);
	const endpoint = await addEndpoint(database);
	const {intake, deliveries} = database.stores;
	// From then on a thread writes, which no function can be sent to.
	for (let count = 0; count < 200; count += 1) await intake.accept(buildAcceptable({endpoint}));
	const request = {attempt_ids: [createIds().next()], per_destination: 5, lease_seconds: 60, onError: () => undefined};
	t.is((await deliveries.lease(request)).length, 1);
	t.like(await intake.accept(buildAcceptable({endpoint})), {outcome: 'accepted'});
});
