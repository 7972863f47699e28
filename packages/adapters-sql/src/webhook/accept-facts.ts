import {monthOf} from '@signalbox/core';
import {first, type Transaction} from '../connection.ts';
import {paddedList, type Sql, type SqlValue, sql} from '../sql.ts';
import {type Row, readInstant} from '../table.ts';
import type {ClaimOrder, WritableOrder} from './accept-order.ts';
import {eventCounts} from './intake.table.ts';
import {laneKey, readLaneKey} from './lane-key.ts';
import {availableAt, lanesOf, readLane} from './lanes.ts';
import {lockLanes} from './lock-lanes.ts';
import {isLinked} from './triggered-chains.ts';

/** How busy a destination is, for what comes in, whoever's it is. */
type IntakeDestination = {readonly destination_key: string; leased: number; own: number};

/** `waits`: something due of that user. */
type IntakeLane = {readonly destination: IntakeDestination; waits: boolean};

/** What a group of orders is judged by. It changes from order to order, so that each sees what those before it did. */
export type AcceptFacts = Readonly<{
	now: string;
	month: string;
	/** Those that exist, of those that are named. */
	endpoints: ReadonlySet<string>;
	/** Those of them that chains are linked to. */
	linked: ReadonlySet<string>;
	/** By user: events this month, without those of the group. */
	counts: Map<string, number>;
	/** By `claimKey`. */
	held: Set<string>;
	/** By `laneKey`. */
	lanes: Map<string, IntakeLane>;
}>;

export const claimKey = ({middleware_id, digest}: Pick<ClaimOrder, 'middleware_id' | 'digest'>): string =>
	`${middleware_id} ${digest}`;

const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)];

const readEndpoints = async (transaction: Transaction, orders: readonly WritableOrder[]) => {
	const ids = distinct(orders.map(({event}) => event.endpoint_id));
	const rows = await transaction.all(
		sql`SELECT id, ${isLinked}, ${transaction.now()} AS now FROM webhook_endpoints
			WHERE id IN ${paddedList(ids)} ORDER BY id ${transaction.dialect.forUpdate}`,
	);
	const idsOf = (found: typeof rows) => new Set(found.map(({id}) => String(id)));
	const linked = rows.filter(({is_linked}) => Number(is_linked) === 1);
	return {now: rows[0]?.now, endpoints: idsOf(rows), linked: idsOf(linked)};
};

const perUser = (orders: readonly WritableOrder[]): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	for (const {event, is_counted} of orders)
		if (is_counted) counts.set(event.user_id, (counts.get(event.user_id) ?? 0) + 1);
	return counts;
};

type UserEvents = Readonly<{user_id: string}>;

const byUser = (a: UserEvents, b: UserEvents): number => (a.user_id < b.user_id ? -1 : 1);

/** A statement, and what its rows say. */
type Question<T> = Readonly<{statements: readonly Sql[]; read(rows: readonly Row[]): T}>;

/**
 * Adds what comes in before it looks at the sums: whoever counts in parallel waits at those rows. What turns out to be too
 * much is given back by `giveBack`.
 */
const countIn = async (
	transaction: Transaction,
	orders: readonly WritableOrder[],
	month: string,
): Promise<Question<Map<string, number>>> => {
	const added = perUser(orders);
	if (added.size === 0) return {statements: [], read: () => new Map()};
	// In one order, so that two groups do not wait for each other.
	const counts = Array.from(added, ([user_id, events]) => ({user_id, month, events})).sort(byUser);
	const {addOrInsert} = transaction.dialect;
	const insert = eventCounts.insert(counts);
	await transaction.later(addOrInsert({table: eventCounts.name, key: ['user_id', 'month'], sums: ['events'], insert}));
	const sums = sql`SELECT ${eventCounts.columns} FROM webhook_event_counts
		WHERE month = ${month} AND user_id IN ${paddedList([...added.keys()])}`;
	return {
		statements: [sums],
		read: (rows) =>
			new Map(rows.map(eventCounts.read).map((row) => [row.user_id, row.events - (added.get(row.user_id) ?? 0)])),
	};
};

const askHeld = (orders: readonly WritableOrder[], now: SqlValue): Question<Set<string>> => {
	const claims = orders.flatMap((order) => order.claims);
	const held = sql`SELECT middleware_id, digest FROM webhook_claims
		WHERE middleware_id IN ${paddedList(distinct(claims.map(({middleware_id}) => middleware_id)))}
		AND digest IN ${paddedList(distinct(claims.map(({digest}) => digest)))} AND expires_at > ${now}`;
	return {
		statements: claims.length === 0 ? [] : [held],
		read: (rows) => new Set(rows.map((row) => claimKey(row as ClaimOrder))),
	};
};

const readIntakeLanes = (rows: readonly Row[], now: string): Map<string, IntakeLane> => {
	const destinations = new Map<string, IntakeDestination>();
	const lanes = new Map<string, IntakeLane>();
	for (const lane of rows.map(readLane)) {
		const {destination_key, leased, own} = lane;
		const destination = destinations.get(destination_key) ?? {destination_key, leased, own};
		destinations.set(destination_key, destination);
		const at = availableAt(lane);
		lanes.set(laneKey(lane), {destination, waits: at !== null && at <= now});
	}
	return lanes;
};

const lockAndAskLanes = async (
	transaction: Transaction,
	orders: readonly WritableOrder[],
	now: string,
): Promise<Question<Map<string, IntakeLane>>> => {
	const leasing = orders.filter(({attempts}) => attempts !== null);
	const planned = leasing.flatMap(({outcome}) => ('deliveries' in outcome ? outcome.deliveries : []));
	const lanes = distinct(planned.map(({lane_key}) => lane_key)).map(readLaneKey);
	// Who writes here is one process.
	const [holder] = leasing.flatMap(({attempts}) => attempts?.ahead?.holder ?? []);
	await lockLanes(transaction, distinct(lanes.map(({destination_key}) => destination_key)));
	return {
		statements: lanesOf(transaction.dialect, lanes, {now, holder}),
		read: (rows) => readIntakeLanes(rows, now),
	};
};

/** Asks three things at once. */
const askThree = async <A, B, C>(
	transaction: Transaction,
	[a, b, c]: readonly [Question<A>, Question<B>, Question<C>],
): Promise<readonly [A, B, C]> => {
	const answers = await transaction.each([...a.statements, ...b.statements, ...c.statements]);
	const [first, second] = [a.statements.length, a.statements.length + b.statements.length];
	return [
		a.read(answers.slice(0, first).flat()),
		b.read(answers.slice(first, second).flat()),
		c.read(answers.slice(second).flat()),
	];
};

/** Undefined when none of their endpoints exists. */
export const readFacts = async (
	transaction: Transaction,
	orders: readonly WritableOrder[],
): Promise<AcceptFacts | undefined> => {
	const {now, endpoints, linked} = await readEndpoints(transaction, orders);
	if (now === undefined) return undefined;
	const stored = String(now);
	const expected = orders.filter(({event}) => endpoints.has(event.endpoint_id));
	const month = monthOf(readInstant(now));
	// Lanes are locked before counts, as by a batch that also leases.
	const asksLanes = await lockAndAskLanes(transaction, expected, stored);
	const asksCounts = await countIn(transaction, expected, month);
	const [lanes, counts, held] = await askThree(transaction, [asksLanes, asksCounts, askHeld(expected, stored)]);
	return {now: readInstant(now), month, endpoints, linked, counts, held, lanes};
};

/** Takes orders that were over a limit out of the sums again. */
export const giveBack = async (
	transaction: Transaction,
	orders: readonly WritableOrder[],
	month: string,
): Promise<void> => {
	for (const [user_id, events] of perUser(orders)) {
		await transaction.later(
			sql`UPDATE webhook_event_counts SET events = events - ${events} WHERE user_id = ${user_id} AND month = ${month}`,
		);
	}
};

/** Whether somebody holds the claim now. */
export const isClaimed = async (
	reader: Pick<Transaction, 'all' | 'now' | 'dialect'>,
	{middleware_id, digest}: Pick<ClaimOrder, 'middleware_id' | 'digest'>,
): Promise<boolean> => {
	const row = await first(
		reader,
		sql`SELECT digest FROM webhook_claims
			WHERE middleware_id = ${middleware_id} AND digest = ${digest} AND expires_at > ${reader.now()}`,
	);
	return row !== undefined;
};
