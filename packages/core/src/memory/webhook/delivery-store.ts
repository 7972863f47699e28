import type {DeliveryStore, Lease, LeaseRequest, Settlement} from '../../ports/index.ts';
import {decodeText} from '../../values/bytes-text.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {LeasedDelivery} from '../../webhook/model/delivery.ts';
import {createUserLimits, mostLeases} from '../../webhook/rules/most-leases.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, rowsWhere} from '../rows.ts';
import {availableAt, grantLease, isDue, leasesOf, userOf} from './leases.ts';
import type {DeliveryRow} from './tables.ts';

const longestDueFirst = (a: DeliveryRow, b: DeliveryRow): number => {
	const [first, second] = [availableAt(a) ?? '', availableAt(b) ?? ''];
	if (first !== second) return first < second ? -1 : 1;
	return a.id < b.id ? -1 : 1;
};

/** Due deliveries in their turns: one that waits behind n others of its destination comes in turn n. */
const inTurns = (db: MemoryDatabase, request: LeaseRequest): readonly DeliveryRow[] => {
	const taken = new Map<string, number>();
	const leases = (key: string) => leasesOf(db, key, request.ahead?.holder);
	const turns = rowsWhere(
		db.deliveries,
		(row) => isDue(row, db.now()) && request.user_limits?.get(userOf(db, row) ?? '') !== 0,
	)
		.sort(longestDueFirst)
		.map((row) => {
			const {destination_key} = row.planned;
			const turn = taken.get(destination_key) ?? leases(destination_key).leased;
			taken.set(destination_key, turn + 1);
			return {row, turn};
		});
	const mayHave = createUserLimits(request);
	return turns
		.filter(({row, turn}) => turn < mostLeases(request, leases(row.planned.destination_key)))
		.sort((a, b) => a.turn - b.turn)
		.map(({row}) => row)
		.filter((row) => mayHave(userOf(db, row)));
};

const lease = (db: MemoryDatabase, request: LeaseRequest): readonly LeasedDelivery[] => {
	const {attempt_ids} = request;
	const next = inTurns(db, request);
	return attempt_ids.flatMap((attempt_id, index) => {
		const row = next[index];
		return row === undefined ? [] : (grantLease(db, row, {...request, attempt_id}) ?? []);
	});
};

const completeAttempt = (db: MemoryDatabase, {delivery_id, attempt: ended}: Settlement): void => {
	const {id, response_body, ...rest} = ended;
	const attempt = db.attempts.get(id);
	if (attempt?.delivery_id !== delivery_id || attempt.completed_at !== null) return;
	const answer = {...copyOf(rest), response_body: decodeText(response_body)};
	db.attempts.set(id, {...attempt, ...answer, completed_at: db.now()});
};

/** What a lease is held on, if its fence still is the last. */
const heldRow = (db: MemoryDatabase, {delivery_id, fence}: Omit<Lease, 'attempt_id'>): DeliveryRow | undefined => {
	const row = db.deliveries.get(delivery_id);
	return row?.fence === fence && row.leased_until !== null ? row : undefined;
};

const settle = (db: MemoryDatabase, settlement: Settlement): boolean => {
	completeAttempt(db, settlement);
	const row = heldRow(db, settlement);
	if (row === undefined) return false;
	const {next, error, attempt} = settlement;
	const now = db.now();
	db.deliveries.set(row.id, {
		...row,
		status: next.status,
		due_at: next.status === 'retrying' ? plusSeconds(now, next.after_seconds) : null,
		leased_until: null,
		last_status_code: attempt.status_code,
		last_error: error,
		delivered_at: next.status === 'delivered' ? now : null,
	});
	return true;
};

const release = (db: MemoryDatabase, {attempt_id, ...lease}: Lease): void => {
	const row = heldRow(db, lease);
	if (row === undefined) return;
	const [attempt_count, armed_attempts] = [row.attempt_count - 1, row.armed_attempts - 1];
	db.deliveries.set(row.id, {...row, leased_until: null, attempt_count, armed_attempts});
	db.attempts.delete(attempt_id);
};

const nextDue = (db: MemoryDatabase): string | undefined =>
	[...db.deliveries.values()]
		.flatMap((row) => availableAt(row) ?? [])
		.sort()
		.at(0);

export const createDeliveryStore = (db: MemoryDatabase): DeliveryStore => ({
	// The memory ends with its process: nobody ever finds what another one left.
	recover: async () => 0,
	lease: async (request) => lease(db, request),
	settle: async (settlement) => settle(db, settlement),
	release: async (leases) => {
		for (const each of leases) release(db, each);
	},
	nextDue: async () => nextDue(db),
});
