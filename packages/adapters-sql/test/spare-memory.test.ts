import {isDeepStrictEqual} from 'node:util';
import {
	buildAcceptable,
	buildAccount,
	buildEndpoint,
	buildPlannedDelivery,
	buildSettlement,
} from '@signalbox/core/testing';
import test from 'ava';
import {createSpareMemory} from '../src/spare-memory.ts';
import {acceptOrder} from '../src/webhook/accept-order.ts';
import {packOrders, packSettlements, unpackOrders, unpackSettlements} from '../src/webhook/packed-orders.ts';

const kib = 1024;

test('memory that came back is used again where it is large enough', (t) => {
	const memory = createSpareMemory();
	const small = memory.take(0);
	const large = memory.take(200 * kib);
	t.is(small.byteLength, 64 * kib);
	t.is(large.byteLength, 256 * kib);
	memory.giveBack(small);
	memory.giveBack(large);
	t.is(memory.take(150 * kib), large);
	t.is(memory.take(64 * kib), small);
	t.not(memory.take(1), small);
});

test('no more than two are kept, and none that one large group needed', (t) => {
	const memory = createSpareMemory();
	const huge = memory.take(5000 * kib);
	t.is(huge.byteLength, 5000 * kib);
	const taken = [1, 2, 3].map(() => memory.take(1));
	for (const each of [huge, ...taken]) memory.giveBack(each);
	const again = [1, 2, 3].map(() => memory.take(1));
	t.deepEqual(
		again.map((each) => taken.indexOf(each)),
		[1, 2, -1],
	);
});

test('webhooks and settlements of any size come out of used memory as they went in', (t) => {
	const memory = createSpareMemory();
	const {user, team} = buildAccount();
	const endpoint = buildEndpoint({user_id: user.id, team_id: team.id});
	for (const size of [90_000, 10, 0, 3_000_000, 100_000]) {
		const body = Buffer.alloc(size, size.toString());
		const deliveries = [buildPlannedDelivery({body: {bytes: body, references: []}})];
		const orders = [1, 2].map(() =>
			acceptOrder(buildAcceptable({endpoint, event: {body}, outcome: {deliveries}}), undefined),
		);
		const leased = {
			id: 'delivery',
			fence: 1,
			attempt: {id: 'attempt', number: 1, started_at: '2026-01-01T00:00:00.000Z'},
		};
		const settlements = [buildSettlement({leased, attempt: {response_body: body}})];
		const packed = [packSettlements(settlements, memory), packOrders(orders, memory)] as const;
		t.true(isDeepStrictEqual(unpackSettlements(packed[0]), settlements));
		t.true(isDeepStrictEqual(unpackOrders(packed[1]), orders));
		for (const {bytes} of packed) memory.giveBack(bytes);
	}
});
