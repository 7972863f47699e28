import {plusSeconds} from '../../values/instant.ts';
import type {Attempt, LeasedDelivery} from '../../webhook/model/delivery.ts';
import {leasedDelivery} from '../../webhook/rules/leased-delivery.ts';
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

/** How many of that destination are leased now. */
export const leasedCount = (db: MemoryDatabase, destination_key: string): number =>
	rowsWhere(db.deliveries, (row) => row.planned.destination_key === destination_key && isLeased(row, db.now())).length;

/** Whether what comes in for that destination may go before those that wait: nobody does, and it may have one more. */
export const hasRoom = (db: MemoryDatabase, destination_key: string, per_destination: number): boolean =>
	leasedCount(db, destination_key) < per_destination &&
	rowsWhere(db.deliveries, (row) => row.planned.destination_key === destination_key && isDue(row, db.now())).length ===
		0;

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
	{attempt_id, lease_seconds}: Readonly<{attempt_id: string; lease_seconds: number}>,
): LeasedDelivery | undefined => {
	const event = db.webhookEvents.get(row.event_id);
	if (event?.body === undefined) return undefined;
	const attempt = openAttempt(db, row, attempt_id);
	const leased = {
		...row,
		leased_until: plusSeconds(db.now(), lease_seconds),
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
