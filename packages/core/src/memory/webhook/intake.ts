import {DomainError} from '../../errors.ts';
import type {Accepted, FirstAttempts, Intake} from '../../ports/index.ts';
import {monthOf, plusSeconds} from '../../values/instant.ts';
import type {Acceptable, DeduplicationClaim} from '../../webhook/model/acceptable.ts';
import type {LeasedDelivery, PlannedDelivery} from '../../webhook/model/delivery.ts';
import type {NewEvent} from '../../webhook/model/event.ts';
import {decideAcceptance} from '../../webhook/rules/decide-acceptance.ts';
import {eventStatusOf} from '../../webhook/rules/event-status.ts';
import {startLinkedChains} from '../cron/triggered-chains.ts';
import {compositeKey, type MemoryDatabase} from '../database.ts';
import {copyOf} from '../rows.ts';
import {grantLease, hasRoom} from './leases.ts';
import type {DeliveryRow} from './tables.ts';

type ClaimName = Pick<DeduplicationClaim, 'middleware_id' | 'digest'>;

const keyOf = ({middleware_id, digest}: ClaimName): string => compositeKey(middleware_id, digest);

const isHeld = (db: MemoryDatabase, claim: ClaimName): boolean => {
	const held = db.claims.get(keyOf(claim));
	return held !== undefined && held.expires_at > db.now();
};

const acceptedRow = ({id: event_id}: NewEvent, planned: PlannedDelivery, now: string): DeliveryRow => ({
	id: planned.id,
	event_id,
	planned: copyOf(planned),
	status: planned.failure === null ? 'pending' : 'failed',
	due_at: planned.failure === null ? plusSeconds(now, planned.delay_seconds) : null,
	leased_until: null,
	leased_by: null,
	fence: 0,
	attempt_count: 0,
	armed_attempts: 0,
	last_status_code: null,
	last_error: planned.failure,
	delivered_at: null,
});

/** Writes the row, and leases it if its first attempt may be made at once. */
const addDelivery = (
	db: MemoryDatabase,
	row: DeliveryRow,
	first: Readonly<{attempt_id: string; attempts: FirstAttempts}> | undefined,
): LeasedDelivery | undefined => {
	// Judged before the row is there: it would wait behind itself.
	const mayGo = first !== undefined && row.due_at === db.now() && hasRoom(db, row, first.attempts);
	db.deliveries.set(row.id, row);
	if (!mayGo) return undefined;
	const {attempt_id, attempts} = first;
	return grantLease(db, row, {...attempts, attempt_id});
};

/** The month's events of the user with this one, or undefined when that is one too many. */
const countWith = (db: MemoryDatabase, {event, is_counted, monthly_limit}: Acceptable) => {
	const key = compositeKey(event.user_id, monthOf(db.now()));
	const count = (db.eventCounts.get(key) ?? 0) + (is_counted ? 1 : 0);
	return monthly_limit !== null && count > monthly_limit ? undefined : {key, count};
};

const takeClaims = (db: MemoryDatabase, endpoint_id: string, claims: readonly DeduplicationClaim[]): void => {
	for (const claim of claims) {
		db.claims.set(keyOf(claim), {endpoint_id, expires_at: plusSeconds(db.now(), claim.ttl_seconds)});
	}
};

const addDeliveries = (db: MemoryDatabase, rows: readonly DeliveryRow[], attempts: FirstAttempts | undefined) =>
	rows.flatMap((row, index) => {
		const attempt_id = attempts?.ids[index];
		const first = attempts === undefined || attempt_id === undefined ? undefined : {attempt_id, attempts};
		return addDelivery(db, row, first) ?? [];
	});

const accept = (db: MemoryDatabase, acceptable: Acceptable, attempts: FirstAttempts | undefined): Accepted => {
	const {event} = acceptable;
	if (!db.endpoints.has(event.endpoint_id)) throw new DomainError('resource_not_found');
	if (db.webhookEvents.has(event.id)) throw new DomainError('resource_exists');
	const counted = countWith(db, acceptable);
	if (counted === undefined) return {outcome: 'over_limit'};

	const {status, trace, deliveries, claims} = decideAcceptance(acceptable, (claim) => isHeld(db, claim));
	db.eventCounts.set(counted.key, counted.count);
	db.webhookEvents.set(event.id, copyOf({...event, trace, resting_status: status}));
	takeClaims(db, event.endpoint_id, claims);
	startLinkedChains(db, event, status);
	const rows = deliveries.map((planned) => acceptedRow(event, planned, db.now()));
	return {
		outcome: 'accepted',
		status: status ?? eventStatusOf(rows.map((row) => row.status)),
		leased: addDeliveries(db, rows, attempts),
		events_this_month: counted.count,
	};
};

export const createIntake = (db: MemoryDatabase): Intake => ({
	accept: async (acceptable, attempts) => accept(db, acceptable, attempts),
	isClaimed: async (claim) => isHeld(db, claim),
	purgeClaims: async (limit) => {
		const expired = [...db.claims].filter(([, {expires_at}]) => expires_at <= db.now()).slice(0, limit);
		for (const [key] of expired) db.claims.delete(key);
		return expired.length;
	},
});
