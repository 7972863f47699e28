import {createUserLimits, type GrantedLease, type Lease, type LeaseRequest, plusSeconds} from '@signalbox/core';
import type {Reader, Transaction} from '../connection.ts';
import {integer, paddedList, raw, type SqlValue, sql} from '../sql.ts';
import {type Row, readInstant, storedInstant} from '../table.ts';
import {newAttempt} from './accept-group.ts';
import {attempts, deliveries, plannedDeliveries} from './deliveries.table.ts';
import {receivedContents, sentEvents} from './events.table.ts';
import {laneKey} from './lane-key.ts';
import {type Lane, lanesOf, liveLanes, readLane} from './lanes.ts';
import {lockLanes} from './lock-lanes.ts';
import {nextDestinations, type OpenDestination, placesOf} from './next-destinations.ts';

type Tuple = readonly SqlValue[];

/** A delivery that was leased, as tuples: what they say is read on the thread that asked. */
export type LeasedTuples = Readonly<{planned: Tuple; event: Tuple; content: Tuple; lease: GrantedLease}>;

type Candidate = Readonly<{id: string; available_at: string; turn: number; user_id: string | undefined}>;

type Turn = Pick<Candidate, 'id' | 'available_at' | 'turn'>;

const byTurn = (a: Turn, b: Turn): number => {
	if (a.turn !== b.turn) return a.turn - b.turn;
	if (a.available_at !== b.available_at) return a.available_at < b.available_at ? -1 : 1;
	return a.id < b.id ? -1 : 1;
};

type Reading = Readonly<{limit: number; now: string}>;

const selectAvailable = async (
	transaction: Transaction,
	lane: Lane,
	{leased, limit, now}: Reading & Readonly<{leased: boolean}>,
): Promise<readonly Row[]> =>
	transaction.all(
		sql`SELECT id, available_at FROM webhook_deliveries
			WHERE destination_key = ${laneKey(lane)} AND leased = ${raw(leased ? '1' : '0')}
			AND ${transaction.dialect.isSet('available_at')} AND available_at <= ${now}
			ORDER BY available_at, id LIMIT ${integer(limit)} ${transaction.dialect.claim}`,
	);

const waitingIn = async (
	transaction: Transaction,
	lane: Lane,
	{limit, now}: Reading,
): Promise<readonly Candidate[]> => {
	const isPast = (at: string | null): boolean => at !== null && at <= now;
	const rows = [
		...(isPast(lane.due_at) ? await selectAvailable(transaction, lane, {leased: false, limit, now}) : []),
		...(isPast(lane.lapses_at) ? await selectAvailable(transaction, lane, {leased: true, limit, now}) : []),
	];
	const {user_id} = lane;
	return rows.map(({id, available_at}) => ({id: String(id), available_at: String(available_at), turn: 0, user_id}));
};

/** The next of one destination, oldest first: one that waits behind n others, or n leases, comes in turn n. */
const candidatesOf = async (
	transaction: Transaction,
	{leased, lanes}: OpenDestination,
	{limit, now}: Reading,
): Promise<readonly Candidate[]> => {
	const waiting: Candidate[] = [];
	// Each of these has at least one that is older than all of the others.
	for (const lane of lanes.slice(0, limit)) waiting.push(...(await waitingIn(transaction, lane, {limit, now})));
	return waiting
		.sort(byTurn)
		.slice(0, limit)
		.map((candidate, index) => ({...candidate, turn: leased + index}));
};

/** Those that may have another delivery; no more than deliveries are wanted: each one's first comes before any's second. */
const chooseDestinations = async (transaction: Transaction, request: LeaseRequest) => {
	const holder = request.ahead?.holder;
	const {now, lanes} = await liveLanes(transaction, holder);
	if (now === undefined) return undefined;
	const open = nextDestinations(lanes, request, now);
	const keys = open.map(({destination_key}) => destination_key);
	if (!(await lockLanes(transaction, keys))) return {now, open};
	const asked = open.flatMap((destination) => destination.lanes.slice(0, request.attempt_ids.length));
	const locked = await transaction.each(lanesOf(transaction.dialect, asked, {now, holder}));
	return {now, open: nextDestinations(locked.flat().map(readLane), request, now)};
};

const chooseDue = async (transaction: Transaction, request: LeaseRequest) => {
	const {attempt_ids} = request;
	const chosen = await chooseDestinations(transaction, request);
	if (chosen === undefined) return undefined;
	const {now, open} = chosen;
	const candidates: Candidate[] = [];
	for (const destination of open) {
		const limit = Math.min(attempt_ids.length, placesOf(destination, request));
		candidates.push(...(await candidatesOf(transaction, destination, {limit, now})));
	}
	const mayHave = createUserLimits(request);
	return {
		now,
		ids: candidates
			.sort(byTurn)
			.filter(({user_id}) => mayHave(user_id))
			.slice(0, attempt_ids.length)
			.map(({id}) => id),
	};
};

const rowsById = (rows: readonly Row[]): ReadonlyMap<string, Row> => new Map(rows.map((row) => [String(row.id), row]));

/** With what is sent. Their attempt is the one that is written next. */
const readLeased = async (transaction: Transaction, ids: readonly string[]) => {
	const found = rowsById(
		await transaction.all(sql`SELECT ${deliveries.columns} FROM ${deliveries.name} WHERE id IN ${paddedList(ids)}`),
	);
	const event_ids = [...new Set(Array.from(found.values(), ({event_id}) => String(event_id)))];
	const events = rowsById(
		await transaction.all(
			sql`SELECT ${receivedContents.columnsOf('c')}, ${sentEvents.columnsOf('e')}
				FROM ${receivedContents.name} c JOIN ${sentEvents.name} e ON e.id = c.id WHERE c.id IN ${paddedList(event_ids)}`,
		),
	);
	return ids.flatMap((id) => {
		const delivery = found.get(id);
		const event = events.get(String(delivery?.event_id));
		return delivery && event ? [{delivery, event}] : [];
	});
};

/** Leases what is due, and writes the attempts. */
export const leaseDue = async (transaction: Transaction, request: LeaseRequest): Promise<readonly LeasedTuples[]> => {
	const due = await chooseDue(transaction, request);
	if (due === undefined || due.ids.length === 0) return [];
	const now = readInstant(due.now);
	const until = storedInstant(plusSeconds(now, request.lease_seconds));
	await transaction.run(
		sql`UPDATE webhook_deliveries SET leased = 1, leased_by = ${request.ahead?.holder ?? null}, available_at = ${until}, fence = fence + 1,
			attempt_count = attempt_count + 1, armed_attempts = armed_attempts + 1 WHERE id IN ${paddedList(due.ids)}`,
	);
	const leased = (await readLeased(transaction, due.ids)).map((rows, index) => {
		const {id, attempt_count, armed_attempts, fence} = rows.delivery;
		const attempt = {id: request.attempt_ids[index] ?? '', number: Number(attempt_count), started_at: now};
		const lease = {fence: Number(fence), retries: Number(armed_attempts) - 1, attempt};
		return {...rows, delivery_id: String(id), lease};
	});
	await transaction.insert(
		attempts,
		leased.map(({delivery_id, lease}) => newAttempt(delivery_id, lease)),
	);
	return leased.map(({delivery, event, lease}) => ({
		planned: plannedDeliveries.tupleIn(delivery),
		event: sentEvents.tupleIn(event),
		content: receivedContents.tupleIn(event),
		lease,
	}));
};

/** Whether a look may find something to lease. */
export const isSomethingDue = async (reader: Reader, request: LeaseRequest): Promise<boolean> => {
	const {now, lanes} = await liveLanes(reader, request.ahead?.holder);
	return now !== undefined && nextDestinations(lanes, request, now).length > 0;
};

/** Lets every lease run out now. @returns how many. */
export const endLeases = async (transaction: Transaction): Promise<number> =>
	transaction.run(
		sql`UPDATE webhook_deliveries SET available_at = ${transaction.now()}
			WHERE leased = 1 AND ${transaction.dialect.isSet('available_at')} AND available_at > ${transaction.now()}`,
	);

const release = async (transaction: Transaction, {delivery_id, fence, attempt_id}: Lease): Promise<void> => {
	const released = await transaction.run(
		sql`UPDATE webhook_deliveries SET leased = 0, available_at = due_at, attempt_count = attempt_count - 1,
			armed_attempts = armed_attempts - 1 WHERE id = ${delivery_id} AND fence = ${fence} AND leased = 1`,
	);
	if (released === 0) return;
	await transaction.run(sql`DELETE FROM webhook_attempts WHERE delivery_id = ${delivery_id} AND id = ${attempt_id}`);
};

/** Gives back what is still held. */
export const releaseAll = async (transaction: Transaction, leases: readonly Lease[]): Promise<void> => {
	for (const lease of leases) await release(transaction, lease);
};
