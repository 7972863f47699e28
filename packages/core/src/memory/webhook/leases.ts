import type {LeaseRequest} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {Attempt, LeasedDelivery} from '../../webhook/model/delivery.ts';
import {leasedDelivery} from '../../webhook/rules/leased-delivery.ts';
import {type DestinationLeases, mostLeases} from '../../webhook/rules/most-leases.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, rowsWhere} from '../rows.ts';
import type {DeliveryRow} from './tables.ts';

/** When it may be leased, or leased again; null: never. */
export const availableAt = ({leased_until, due_at}: DeliveryRow): string | null => leased_until ?? due_at;

const isLeased = ({leased_until}: DeliveryRow, now: string): boolean => leased_until !== null && leased_until > now;

export const isDue = (row: DeliveryRow, now: string): boolean => {
	const at = availableAt(row);
	return at !== null && at <= now;
};

/** The leases of that destination that hold now, as `holder` sees them. */
export const leasesOf = (
	db: MemoryDatabase,
	destination_key: string,
	holder: string | undefined,
): DestinationLeases => {
	const isHeld = (row: DeliveryRow) => row.planned.destination_key === destination_key && isLeased(row, db.now());
	const leased = rowsWhere(db.deliveries, isHeld);
	return {destination_key, leased: leased.length, own: leased.filter(({leased_by}) => leased_by === holder).length};
};

type Limits = Pick<LeaseRequest, 'per_destination' | 'ahead' | 'lease_seconds'>;

const hasPlace = (limits: Limits, leases: DestinationLeases): boolean => leases.leased < mostLeases(limits, leases);

export const userOf = (db: MemoryDatabase, {event_id}: Pick<DeliveryRow, 'event_id'>): string | undefined =>
	db.webhookEvents.get(event_id)?.user_id;

/** Whether it may go at once: nothing of its user waits for its destination, which may have one more. */
export const hasRoom = (db: MemoryDatabase, row: DeliveryRow, limits: Limits): boolean => {
	const {destination_key} = row.planned;
	const isBefore = (other: DeliveryRow) =>
		other.planned.destination_key === destination_key &&
		isDue(other, db.now()) &&
		userOf(db, other) === userOf(db, row);
	return (
		hasPlace(limits, leasesOf(db, destination_key, limits.ahead?.holder)) &&
		rowsWhere(db.deliveries, isBefore).length === 0
	);
};

const openAttempt = (db: MemoryDatabase, row: DeliveryRow, id: string): Attempt => ({
	id,
	delivery_id: row.id,
	number: row.attempt_count + 1,
	started_at: db.now(),
	completed_at: null,
	outcome: 'unknown',
	status_code: null,
	error_code: null,
	response_headers: {},
	response_body: '',
	duration_ms: null,
});

/** Leases the delivery and opens its attempt. Undefined when nothing is left to send. */
export const grantLease = (
	db: MemoryDatabase,
	row: DeliveryRow,
	{attempt_id, lease_seconds, ahead}: Limits & Readonly<{attempt_id: string}>,
): LeasedDelivery | undefined => {
	const event = db.webhookEvents.get(row.event_id);
	if (event?.body === undefined) return undefined;
	const attempt = openAttempt(db, row, attempt_id);
	const leased = {
		...row,
		leased_until: plusSeconds(db.now(), lease_seconds),
		leased_by: ahead?.holder ?? null,
		fence: row.fence + 1,
		attempt_count: attempt.number,
		armed_attempts: row.armed_attempts + 1,
	};
	db.attempts.set(attempt.id, attempt);
	db.deliveries.set(row.id, leased);
	const {id, number, started_at} = attempt;
	return copyOf(
		leasedDelivery({...event, body: event.body}, row.planned, {
			fence: leased.fence,
			retries: row.armed_attempts,
			attempt: {id, number, started_at},
		}),
	);
};
