import {plusSeconds} from '../../values/instant.ts';
import type {Retention} from '../../values/retention.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import type {CompactTrace} from '../../webhook/model/trace.ts';
import {buildAcceptable, buildEvent, buildPlannedDelivery} from '../builders/webhook.ts';
import {
	accept,
	addEndpoint,
	addEvent,
	fail,
	lease,
	leaseOne,
	listEvents,
	readEvent,
	succeed,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';

const day = 24 * 3600;

const retention: Retention = {
	days_by_plan: new Map([
		['short', 7],
		['long', 30],
	]),
	otherwise: 14,
};

const ages = [6, 8, 13, 15, 29, 31];
/** Which of those ages, in days, each plan keeps. */
const kept: Readonly<Record<string, readonly number[]>> = {short: [6], long: [6, 8, 13, 15, 29], other: [6, 8, 13]};

const daysAgo = ({now}: WebhookWorld, days: number): string => plusSeconds(now(), -days * day);

const addEndpointOn = async (world: WebhookWorld, plan: string): Promise<EndpointRecord> =>
	addEndpoint(world, await world.addTenant({plan}));

const addResting = async (world: WebhookWorld, endpoint: EndpointRecord, age: number) => {
	const event = {created_at: daysAgo(world, age), path: `/${age}`};
	await accept(world, buildAcceptable({endpoint, event, outcome: {status: 'unmatched'}}));
};

/** Ages of the events that are left, youngest first. */
const agesLeft = async (world: WebhookWorld, {team_id}: EndpointRecord) =>
	(await listEvents(world, team_id)).map(({path}) => Number(path.slice(1)));

/** An old event of each way to be live or final, told by its path. */
const addOldOnes = async (world: WebhookWorld, endpoint: EndpointRecord) => {
	const add = (path: string, delay_seconds = 0) =>
		addEvent(world, endpoint, {path, created_at: daysAgo(world, 40), deliveries: [{delay_seconds}, {delay_seconds}]});
	const settleBoth = async (first: 'succeed' | 'fail' | 'retry', second: 'succeed' | 'fail' | 'retry') => {
		for (const fate of [first, second]) {
			const leased = await leaseOne(world);
			if (fate === 'succeed') await succeed(world, leased);
			else await fail(world, leased, fate === 'fail' ? {status: 'failed'} : {status: 'retrying', after_seconds: day});
		}
	};
	await add('/delivered');
	await settleBoth('succeed', 'succeed');
	await add('/failed');
	await settleBoth('succeed', 'fail');
	await add('/retrying');
	await settleBoth('fail', 'retry');
	await add('/delayed', day);
	await add('/leased');
	await succeed(world, await leaseOne(world));
	await leaseOne(world);
};

const pathsLeft = async (world: WebhookWorld, {team_id}: EndpointRecord) =>
	(await listEvents(world, team_id)).map(({path}) => path).toSorted();

const bodies: CompactTrace = {
	pipeline: {
		outcome: 'passed',
		delay_seconds: 0,
		steps: [
			{
				...{middleware_id: 'm', name: 'step', type: 'transform_body', outcome: 'passed', message: 'set a'},
				body: 'step',
				body_truncated: true,
			},
		],
		result: {headers: {a: 'b'}, body: 'made', body_truncated: true},
	},
	routing: {
		routing_mode: 'all_match',
		destinations: [{rule_id: null, name: 'primary', url: 'https://a.example', body: 'rendered', body_truncated: true}],
		rules: [],
	},
};

/** An old, final event that has bodies wherever one can stand. */
const addBodies = async (world: WebhookWorld, endpoint: EndpointRecord) => {
	const made = {bytes: new TextEncoder().encode('made'), references: []};
	const fields = {created_at: daysAgo(world, 40), trace: bodies, processed: {headers: null, body: made}};
	const event = buildEvent({endpoint, ...fields});
	const deliveries = [buildPlannedDelivery({body: made})];
	await accept(world, buildAcceptable({endpoint, event, outcome: {deliveries}}));
	await fail(world, await leaseOne(world));
	return event;
};

export const retainingEvents: WebhookContract = {
	subject: 'retention of webhook events',
	cases: {
		'events go when they are older than the plan of their user keeps them': async (t, world) => {
			for (const [plan, left] of Object.entries(kept)) {
				const endpoint = await addEndpointOn(world, plan);
				for (const age of ages) await addResting(world, endpoint, age);
				t.is(await world.stores.webhookEvents.purge(retention, 100), ages.length - left.length, plan);
				t.deepEqual(await agesLeft(world, endpoint), left, plan);
			}
		},
		'age is by the clock of the store, and at most the limit goes at once': async (t, world) => {
			const endpoint = await addEndpointOn(world, 'short');
			for (const age of [1, 1, 1, 3]) await addResting(world, endpoint, age);
			await world.advance(5 * day);
			t.is(await world.stores.webhookEvents.purge(retention, 2), 1);
			await world.advance(3 * day);
			t.deepEqual(
				[await world.stores.webhookEvents.purge(retention, 2), await world.stores.webhookEvents.purge(retention, 2)],
				[2, 1],
			);
			t.is(await world.stores.webhookEvents.purge(retention, 2), 0);
		},
		'a live delivery keeps its event, whole, however old': async (t, world) => {
			const endpoint = await addEndpointOn(world, 'short');
			await addOldOnes(world, endpoint);
			const live = ['/delayed', '/leased', '/retrying'];
			t.is(await world.stores.webhookEvents.purgeBodies(retention, 100), 2);
			t.is(await world.stores.webhookEvents.purge(retention, 100), 2);
			t.deepEqual(await pathsLeft(world, endpoint), live);
			await world.advance(2 * day);
			const leased = await lease(world, 10);
			t.is(leased.length, 4);
			t.is(
				leased.every(({event}) => event.body.bytes.length > 0),
				true,
			);
		},
		'an event that went took its deliveries and attempts with it': async (t, world) => {
			const endpoint = await addEndpointOn(world, 'short');
			const event = await addBodies(world, endpoint);
			t.is(await world.stores.webhookEvents.purge(retention, 100), 1);
			t.is(await world.stores.webhookEvents.get([endpoint.team_id], event.id), undefined);
			t.is(await world.stores.webhookEvents.retry([endpoint.team_id], event.id), undefined);
			t.is(await world.stores.deliveries.nextDue(), undefined);
		},
		'bodies can go before their event: everything else is left': async (t, world) => {
			const endpoint = await addEndpointOn(world, 'short');
			const [event, young] = [await addBodies(world, endpoint), await addEvent(world, endpoint)];
			const before = await readEvent(world, event);
			t.is(await world.stores.webhookEvents.purgeBodies(retention, 100), 1);
			t.is(await world.stores.webhookEvents.purgeBodies(retention, 100), 0);
			const {deliveries, trace, ...after} = await readEvent(world, event);
			const {deliveries: _, trace: __, ...rest} = before;
			t.deepEqual(after, {...rest, body: '', response_body: ''});
			const attempts = before.deliveries[0]?.attempts.map((attempt) => ({...attempt, response_body: ''}));
			t.deepEqual(deliveries, [{...before.deliveries[0], attempts}]);
			t.is(JSON.stringify(trace).match(/"body":"[^"]|body_truncated/), null);
			t.deepEqual(trace.pipeline.result.headers, {a: 'b'});
			t.is((await readEvent(world, young)).body.length > 0, true);
		},
		'without its body an event is neither retried nor replayed, and says so': async (t, world) => {
			const endpoint = await addEndpointOn(world, 'short');
			const event = await addBodies(world, endpoint);
			await world.stores.webhookEvents.purgeBodies(retention, 100);
			t.is(await world.stores.webhookEvents.retry([endpoint.team_id], event.id), 'purged');
			const received = await world.stores.webhookEvents.received([endpoint.team_id], event.id);
			t.deepEqual([received?.id, received?.body], [event.id, undefined]);
			t.deepEqual(await lease(world, 10), []);
		},
	},
};
