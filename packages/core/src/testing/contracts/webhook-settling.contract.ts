import type {Settlement} from '../../ports/index.ts';
import type {EndpointRecord} from '../../webhook/model/endpoint.ts';
import {buildId} from '../builders/identity.ts';
import {buildSettlement} from '../builders/webhook.ts';
import {
	addEvent,
	addOwner,
	fail,
	lease,
	leaseOne,
	readEvent,
	succeed,
	type WebhookContract,
	type WebhookWorld,
} from './webhook-world.ts';
import {awkwardTexts, parallel, tally} from './world.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** An event with one delivery, leased. */
const leasedEvent = async (world: WebhookWorld) => {
	const {endpoint, ...owner} = await addOwner(world);
	const event = await addEvent(world, endpoint);
	const leased = await leaseOne(world);
	const deliveryNow = async () => {
		const [delivery] = (await readEvent(world, event)).deliveries;
		if (delivery === undefined) throw new Error('the event has no delivery');
		return delivery;
	};
	return {...owner, endpoint, event, leased, deliveryNow};
};

const settleWith = ({stores}: WebhookWorld, settlement: Settlement) => stores.deliveries.settle(settlement);

export const settling: WebhookContract = {
	subject: 'settling deliveries',
	cases: {
		'a delivered attempt is recorded with its answer, and nothing is due': async (t, world) => {
			const {leased, deliveryNow} = await leasedEvent(world);
			const attempt = {
				...{status_code: 204, response_headers: {'x-a': 'b'}, response_body: bytes('thanks'), duration_ms: 7},
			};
			const before = world.now();
			t.is(await settleWith(world, buildSettlement({leased, attempt})), true);
			const {status, attempt_count, next_attempt_at, last_status_code, last_error, attempts} = await deliveryNow();
			t.deepEqual([status, attempt_count, next_attempt_at], ['delivered', 1, null]);
			t.deepEqual([last_status_code, last_error], [204, null]);
			const completed_at = attempts[0]?.completed_at ?? '';
			t.is(completed_at >= before && completed_at <= world.now(), true);
			t.deepEqual(attempts, [
				{
					...{id: leased.attempt.id, delivery_id: leased.id, number: 1, started_at: leased.attempt.started_at},
					...{completed_at, outcome: 'delivered', status_code: 204, error_code: null},
					...{response_headers: {'x-a': 'b'}, response_body: 'thanks', duration_ms: 7},
				},
			]);
		},
		'one that got no answer is recorded with the reason': async (t, world) => {
			const {leased, deliveryNow} = await leasedEvent(world);
			const attempt = {outcome: 'failed', status_code: null, error_code: 'timeout'} as const;
			const error = 'No answer within 30 s.';
			await settleWith(world, buildSettlement({leased, attempt, next: {status: 'failed'}, error}));
			const {status, last_status_code, last_error, attempts} = await deliveryNow();
			t.deepEqual([status, last_status_code, last_error], ['failed', null, error]);
			t.deepEqual([attempts[0]?.outcome, attempts[0]?.error_code], ['failed', 'timeout']);
		},
		'a retry is due after its seconds by the clock of the store, and not before': async (t, world) => {
			const {leased, event, deliveryNow} = await leasedEvent(world);
			t.is(await fail(world, leased, {status: 'retrying', after_seconds: 600}), true);
			const {status, next_attempt_at} = await deliveryNow();
			t.is(status, 'retrying');
			t.is((await readEvent(world, event)).next_retry_at, next_attempt_at);
			await world.advance(540);
			t.deepEqual(await lease(world, 5), []);
			await world.advance(120);
			const again = await leaseOne(world);
			t.deepEqual([again.retries, again.attempt.number], [1, 2]);
			t.is((await deliveryNow()).status, 'retrying');
			await succeed(world, again);
			const {status: last, last_error, attempts} = await deliveryNow();
			t.deepEqual(
				[last, last_error, attempts.map(({outcome}) => outcome)],
				['delivered', null, ['failed', 'delivered']],
			);
		},
		'a fraction of a second is waited for too': async (t, world) => {
			const {leased, deliveryNow} = await leasedEvent(world);
			const before = Date.parse(world.now());
			await fail(world, leased, {status: 'retrying', after_seconds: 5.5});
			const wait = Date.parse((await deliveryNow()).next_attempt_at ?? '') - before;
			t.is(wait >= 5500 && wait <= Date.parse(world.now()) - before + 5500, true, `${wait} ms`);
		},
		'what is settled at once is settled each for itself': async (t, world) => {
			const {endpoint} = await addOwner(world);
			const events = await parallel(30, () => addEvent(world, endpoint));
			const leases = await lease(world, 30);
			const results = leases.map((leased, index) => {
				if (index % 3 === 0) return succeed(world, leased);
				if (index % 3 === 1) return fail(world, leased, {status: 'retrying', after_seconds: 60 * index});
				return fail(world, {...leased, fence: leased.fence + 1});
			});
			const isSettled = await Promise.all(results);
			t.deepEqual(tally(isSettled), {true: 20, false: 10});
			const statuses = await Promise.all(events.map(async (event) => (await readEvent(world, event)).delivery_status));
			t.deepEqual(tally(statuses), {delivered: 10, retrying: 10, pending: 10});
		},
	},
};

export const fencing: WebhookContract = {
	subject: 'settling deliveries',
	cases: {
		'whoever lost the lease completes the attempt, and leaves the delivery to the holder': async (t, world) => {
			const {leased: first, deliveryNow} = await leasedEvent(world);
			await world.advance(120);
			const second = await leaseOne(world);
			t.is(await succeed(world, first), false);
			const {status, last_status_code, attempts} = await deliveryNow();
			t.deepEqual([status, last_status_code], ['pending', null]);
			t.deepEqual(
				attempts.map(({outcome}) => outcome),
				['delivered', 'unknown'],
			);
			t.deepEqual(await lease(world, 5), []);
			t.is(await fail(world, second), true);
			t.is((await deliveryNow()).status, 'failed');
		},
		'a lease that ran out counts while nobody else took it': async (t, world) => {
			const {leased, deliveryNow} = await leasedEvent(world);
			await world.advance(600);
			t.is(await succeed(world, leased), true);
			t.is((await deliveryNow()).status, 'delivered');
			t.deepEqual(await lease(world, 5), []);
		},
		'of parallel settlements of one lease exactly one counts, and its attempt is completed once': async (t, world) => {
			const {leased, deliveryNow} = await leasedEvent(world);
			const settle = (index: number) => {
				const attempt = {status_code: 200 + index, duration_ms: index};
				return settleWith(world, buildSettlement({leased, attempt}));
			};
			t.deepEqual(tally(await parallel(10, settle)), {true: 1, false: 9});
			const {last_status_code, attempts} = await deliveryNow();
			t.is(attempts[0]?.status_code, last_status_code);
			t.is(await settle(50), false);
			t.deepEqual((await deliveryNow()).attempts, attempts);
		},
		'one that was settled is not settled again after a retry armed it': async (t, world) => {
			const {leased, event, team_ids, deliveryNow} = await leasedEvent(world);
			await fail(world, leased);
			await world.stores.webhookEvents.retry(team_ids, event.id);
			t.is(await succeed(world, leased), false);
			t.is((await deliveryNow()).status, 'retrying');
		},
		'where event or delivery is gone nothing is settled, and others are': async (t, world) => {
			const {leased: gone, endpoint, ...owner} = await leasedEvent(world);
			const other: EndpointRecord = (await addOwner(world)).endpoint;
			const event = await addEvent(world, other);
			const kept = await leaseOne(world);
			await world.stores.endpoints.delete(owner.team_ids, endpoint.id);
			const unknown = {...kept, id: buildId(), attempt: {...kept.attempt, id: buildId()}};
			const settled = await Promise.all([gone, unknown, kept].map((leased) => succeed(world, leased)));
			t.deepEqual(settled, [false, false, true]);
			t.is((await readEvent(world, event)).delivery_status, 'delivered');
		},
	},
};

export const textOfAttempts: WebhookContract = {
	subject: 'settling deliveries',
	needs: 'exact_text',
	cases: {
		'every text of an answer is kept to the last character': async (t, world) => {
			for (const text of awkwardTexts) {
				const {leased, deliveryNow} = await leasedEvent(world);
				const attempt = {error_code: text, response_headers: {'x-text': text}, response_body: bytes(text)};
				await settleWith(world, buildSettlement({leased, attempt, next: {status: 'failed'}, error: text}));
				const {last_error, attempts} = await deliveryNow();
				const [answer] = attempts;
				t.deepEqual([last_error, answer?.error_code, answer?.response_body], [text, text, text]);
				t.deepEqual(answer?.response_headers, {'x-text': text});
			}
		},
		'an answer of 64 KiB is kept whole, and bytes that are no text are replaced': async (t, world) => {
			const {leased, deliveryNow} = await leasedEvent(world);
			const response_body = new Uint8Array(64 * 1024).fill(97);
			response_body[1] = 255;
			await settleWith(world, buildSettlement({leased, attempt: {response_body}}));
			t.is((await deliveryNow()).attempts[0]?.response_body, `a\ufffd${'a'.repeat(64 * 1024 - 2)}`);
		},
	},
};
