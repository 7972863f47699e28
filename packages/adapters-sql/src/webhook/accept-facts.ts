import {monthOf} from '@signalbox/core';
import {first, type Transaction} from '../connection.ts';
import {paddedList, type SqlValue, sql} from '../sql.ts';
import {readInstant} from '../table.ts';
import type {AcceptOrder, ClaimOrder} from './accept-order.ts';
import {eventCounts} from './intake.table.ts';
import {availableAt, lanesOf} from './lanes.ts';
import {isLinked} from './triggered-chains.ts';

/** How busy a destination is, for what comes in. */
type IntakeLane = {readonly destination_key: string; leased: number; own: number; waits: boolean};

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
	lanes: Map<string, IntakeLane>;
}>;

export const claimKey = ({middleware_id, digest}: Pick<ClaimOrder, 'middleware_id' | 'digest'>): string =>
	`${middleware_id} ${digest}`;

const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)];

const readEndpoints = async (transaction: Transaction, orders: readonly AcceptOrder[]) => {
	const ids = distinct(orders.map(({event}) => event.endpoint_id));
	const rows = await transaction.all(
		sql`SELECT id, ${isLinked}, ${transaction.now()} AS now FROM webhook_endpoints
			WHERE id IN ${paddedList(ids)} ${transaction.dialect.forUpdate}`,
	);
	const idsOf = (found: typeof rows) => new Set(found.map(({id}) => String(id)));
	const linked = rows.filter(({is_linked}) => Number(is_linked) === 1);
	return {now: rows[0]?.now, endpoints: idsOf(rows), linked: idsOf(linked)};
};

const perUser = (orders: readonly AcceptOrder[]): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	for (const {event} of orders) counts.set(event.user_id, (counts.get(event.user_id) ?? 0) + 1);
	return counts;
};

/**
 * Adds what comes in before it looks at the sums: whoever counts in parallel waits at those rows. What turns out to be too
 * much is given back by `giveBack`.
 */
const countIn = async (transaction: Transaction, orders: readonly AcceptOrder[], month: string) => {
	const added = perUser(orders);
	const counts = Array.from(added, ([user_id, events]) => ({user_id, month, events}));
	const {addOrInsert} = transaction.dialect;
	const insert = eventCounts.insert(counts);
	await transaction.run(addOrInsert({table: eventCounts.name, key: ['user_id', 'month'], sums: ['events'], insert}));
	const rows = await transaction.all(
		sql`SELECT ${eventCounts.columns} FROM webhook_event_counts
			WHERE month = ${month} AND user_id IN ${paddedList([...added.keys()])}`,
	);
	return new Map(rows.map(eventCounts.read).map((row) => [row.user_id, row.events - (added.get(row.user_id) ?? 0)]));
};

const readHeld = async (transaction: Transaction, orders: readonly AcceptOrder[], now: SqlValue) => {
	const claims = orders.flatMap((order) => order.claims);
	if (claims.length === 0) return new Set<string>();
	const rows = await transaction.all(
		sql`SELECT middleware_id, digest FROM webhook_claims
			WHERE middleware_id IN ${paddedList(distinct(claims.map(({middleware_id}) => middleware_id)))}
			AND digest IN ${paddedList(distinct(claims.map(({digest}) => digest)))} AND expires_at > ${now}`,
	);
	return new Set(rows.map((row) => claimKey(row as ClaimOrder)));
};

const readLanes = async (transaction: Transaction, orders: readonly AcceptOrder[], now: string) => {
	const leasing = orders.filter(({attempts}) => attempts !== null);
	const planned = leasing.flatMap(({outcome}) => ('deliveries' in outcome ? outcome.deliveries : []));
	const keys = distinct(planned.map(({destination_key}) => destination_key));
	// Who writes here is one process.
	const [holder] = leasing.flatMap(({attempts}) => attempts?.ahead?.holder ?? []);
	const lanes = await lanesOf(transaction, keys, {now, holder});
	return new Map(
		lanes.map((lane) => {
			const at = availableAt(lane);
			const {destination_key, leased, own} = lane;
			return [destination_key, {destination_key, leased, own, waits: at !== null && at <= now}];
		}),
	);
};

/** Undefined when none of their endpoints exists. */
export const readFacts = async (
	transaction: Transaction,
	orders: readonly AcceptOrder[],
): Promise<AcceptFacts | undefined> => {
	const {now, endpoints, linked} = await readEndpoints(transaction, orders);
	if (now === undefined) return undefined;
	const stored = String(now);
	const expected = orders.filter(({event}) => endpoints.has(event.endpoint_id));
	const month = monthOf(readInstant(now));
	return {
		now: readInstant(now),
		month,
		endpoints,
		linked,
		counts: await countIn(transaction, expected, month),
		held: await readHeld(transaction, expected, stored),
		lanes: await readLanes(transaction, expected, stored),
	};
};

/** Takes orders that were over a limit out of the sums again. */
export const giveBack = async (
	transaction: Transaction,
	orders: readonly AcceptOrder[],
	month: string,
): Promise<void> => {
	for (const [user_id, events] of perUser(orders)) {
		await transaction.run(
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
