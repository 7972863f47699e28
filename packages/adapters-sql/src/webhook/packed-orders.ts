import type {Settlement} from '@signalbox/core';
import type {SpareMemory} from '../spare-memory.ts';
import type {SqlValue} from '../sql.ts';
import type {AcceptOrder} from './accept-order.ts';

type Tuple = readonly SqlValue[];

/** Where in the moved buffer the bytes are that stood here. */
type Slice = Readonly<{offset: number; length: number}>;
type PackedTuple = readonly (string | number | null | Slice)[];

type Planned = Extract<AcceptOrder['outcome'], {deliveries: unknown}>['deliveries'][number];

export type PackedOrder = Omit<AcceptOrder, 'content' | 'body' | 'outcome'> &
	Readonly<{
		content: PackedTuple;
		body: Slice;
		outcome:
			| Extract<AcceptOrder['outcome'], {status: unknown}>
			| Readonly<{deliveries: readonly (Omit<Planned, 'planned'> & Readonly<{planned: PackedTuple}>)[]}>;
	}>;

export type PackedSettlement = Omit<Settlement, 'attempt'> &
	Readonly<{attempt: Omit<Settlement['attempt'], 'response_body'> & Readonly<{response_body: Slice}>}>;

/** On its way to another thread: all bodies in one buffer, which is moved, not copied. */
export type Packed<T> = Readonly<{items: readonly T[]; bytes: ArrayBuffer}>;

type TakeOut = (bytes: Uint8Array) => Slice;
type PutBack = (slice: Slice) => Uint8Array;

const pack = <T, P>(
	items: readonly T[],
	memory: SpareMemory,
	packItem: (item: T, takeOut: TakeOut) => P,
): Packed<P> => {
	const parts: Uint8Array[] = [];
	let length = 0;
	const takeOut: TakeOut = (part) => {
		const slice = {offset: length, length: part.byteLength};
		parts.push(part);
		length += part.byteLength;
		return slice;
	};
	const packed = items.map((item) => packItem(item, takeOut));
	const bytes = new Uint8Array(memory.take(length));
	let offset = 0;
	for (const part of parts) {
		bytes.set(part, offset);
		offset += part.byteLength;
	}
	return {items: packed, bytes: bytes.buffer};
};

const unpack = <T, P>({items, bytes}: Packed<P>, unpackItem: (item: P, putBack: PutBack) => T): readonly T[] => {
	// A Buffer: what both drivers bind as a BLOB.
	const putBack: PutBack = ({offset, length}) => Buffer.from(bytes, offset, length);
	return items.map((item) => unpackItem(item, putBack));
};

const packTuple = (tuple: Tuple, takeOut: TakeOut): PackedTuple =>
	tuple.map((value) => (value instanceof Uint8Array ? takeOut(value) : value));

const unpackTuple = (tuple: PackedTuple, putBack: PutBack): Tuple =>
	tuple.map((value) => (typeof value === 'object' && value !== null ? putBack(value) : value));

const packOutcome = (outcome: AcceptOrder['outcome'], takeOut: TakeOut): PackedOrder['outcome'] => {
	if ('status' in outcome) return outcome;
	return {deliveries: outcome.deliveries.map((each) => ({...each, planned: packTuple(each.planned, takeOut)}))};
};

/** Named one by one: spreading an order into another one takes longer than all that is done with it. */
export const packOrders = (orders: readonly AcceptOrder[], memory: SpareMemory): Packed<PackedOrder> =>
	pack(orders, memory, (order, takeOut) => {
		const {event, received, claims, is_counted, monthly_limit, attempts} = order;
		const [content, body] = [packTuple(order.content, takeOut), takeOut(order.body)];
		const outcome = packOutcome(order.outcome, takeOut);
		return {event, received, content, body, claims, outcome, is_counted, monthly_limit, attempts};
	});

const unpackOutcome = (outcome: PackedOrder['outcome'], putBack: PutBack): AcceptOrder['outcome'] => {
	if ('status' in outcome) return outcome;
	return {deliveries: outcome.deliveries.map((each) => ({...each, planned: unpackTuple(each.planned, putBack)}))};
};

export const unpackOrders = (packed: Packed<PackedOrder>): readonly AcceptOrder[] =>
	unpack(packed, (order, putBack) => {
		const {event, received, claims, is_counted, monthly_limit, attempts} = order;
		const [content, body] = [unpackTuple(order.content, putBack), putBack(order.body)];
		const outcome = unpackOutcome(order.outcome, putBack);
		return {event, received, content, body, claims, outcome, is_counted, monthly_limit, attempts};
	});

export const packSettlements = (settlements: readonly Settlement[], memory: SpareMemory): Packed<PackedSettlement> =>
	pack(settlements, memory, ({attempt, ...settlement}, takeOut) => ({
		...settlement,
		attempt: {...attempt, response_body: takeOut(attempt.response_body)},
	}));

export const unpackSettlements = (packed: Packed<PackedSettlement>): readonly Settlement[] =>
	unpack(packed, ({attempt, ...settlement}, putBack) => ({
		...settlement,
		attempt: {...attempt, response_body: putBack(attempt.response_body)},
	}));
