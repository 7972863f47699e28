import type {EventFilter, EventKey, EventStore, ReceivedEvent} from '../../ports/index.ts';
import {keptSince, type Retention} from '../../values/retention.ts';
import type {Attempt} from '../../webhook/model/delivery.ts';
import type {WebhookEvent} from '../../webhook/model/event.ts';
import {cutBodies} from '../../webhook/rules/cut-bodies.ts';
import {eventStatusOf} from '../../webhook/rules/event-status.ts';
import {type StoredDelivery, showEvent} from '../../webhook/rules/show-event.ts';
import {withoutBodies} from '../../webhook/rules/without-bodies.ts';
import type {MemoryDatabase} from '../database.ts';
import {by, copyOf, newestFirst, oldestFirst, pageOf, rowsWhere, updateWhere} from '../rows.ts';
import {deleteEvent} from './cascades.ts';
import type {DeliveryRow, EventRow} from './tables.ts';

const deliveriesOf = (db: MemoryDatabase, event_id: string): readonly DeliveryRow[] =>
	rowsWhere(db.deliveries, (row) => row.event_id === event_id).sort(by('id'));

const attemptsOf = (db: MemoryDatabase, delivery_id: string): readonly Attempt[] =>
	rowsWhere(db.attempts, (row) => row.delivery_id === delivery_id).sort((a, b) => a.number - b.number);

const storedDelivery = (db: MemoryDatabase, row: DeliveryRow): StoredDelivery => {
	const {id, planned, status, due_at, attempt_count, last_status_code, last_error, delivered_at} = row;
	const {rule_id, name, url} = planned;
	const attempts = [...attemptsOf(db, id)];
	const next_attempt_at = due_at;
	return {
		...{id, rule_id, name, url, status, attempt_count, next_attempt_at, last_status_code, last_error},
		attempts,
		delivered_at,
	};
};

const lastAnswered = (deliveries: readonly StoredDelivery[]): Attempt | undefined =>
	deliveries
		.flatMap(({attempts}) => attempts)
		.flatMap((attempt) => (attempt.completed_at === null ? [] : {...attempt, completed_at: attempt.completed_at}))
		.sort(by('completed_at', 'id'))
		.at(-1);

const shown = (db: MemoryDatabase, event: EventRow): WebhookEvent => {
	const {team_id: _, user_id: __, replay_of: ___, processed: ____, ...stored} = event;
	const deliveries = deliveriesOf(db, event.id).map((row) => storedDelivery(db, row));
	return copyOf(showEvent(stored, deliveries, lastAnswered(deliveries)));
};

const statusOf = (db: MemoryDatabase, {id, resting_status}: EventRow) =>
	resting_status ?? eventStatusOf(deliveriesOf(db, id).map(({status}) => status));

const matches = (db: MemoryDatabase, event: EventRow, {endpoint_id, status, from, to}: EventFilter): boolean =>
	(endpoint_id === undefined || event.endpoint_id === endpoint_id) &&
	(from === undefined || event.created_at >= from) &&
	(to === undefined || event.created_at < to) &&
	(status === undefined || statusOf(db, event) === status);

/** Whether its time is over, and it is final. */
const isOver = (db: MemoryDatabase, {id, user_id, created_at}: EventRow, retention: Retention): boolean =>
	created_at < keptSince(retention, db.users.get(user_id)?.plan, db.now()) &&
	deliveriesOf(db, id).every(({due_at}) => due_at === null);

const isAfter = (event: EventRow, key: EventKey | null): boolean => key === null || oldestFirst(event, key) > 0;

const rearm = (db: MemoryDatabase, {id, body}: EventRow): number | 'purged' => {
	if (body === undefined) return 'purged';
	return updateWhere(
		db.deliveries,
		(row) => row.event_id === id && row.status === 'failed' && row.planned.failure === null,
		(row) => ({...row, status: 'retrying' as const, due_at: db.now(), armed_attempts: 0}),
	).length;
};

const dropBodies = (db: MemoryDatabase, event: EventRow): void => {
	const processed = {...event.processed, body: null};
	db.webhookEvents.set(event.id, {...event, body: undefined, processed, trace: withoutBodies(event.trace)});
	for (const row of deliveriesOf(db, event.id)) {
		db.deliveries.set(row.id, {...row, planned: {...row.planned, body: null}});
		updateWhere(
			db.attempts,
			(attempt) => attempt.delivery_id === row.id,
			(attempt) => ({...attempt, response_body: ''}),
		);
	}
};

const receivedOf = ({processed: _, trace: __, resting_status: ___, ...event}: EventRow): ReceivedEvent => copyOf(event);

export const createEventStore = (db: MemoryDatabase): EventStore => {
	const select = (team_id: string, filter: EventFilter) =>
		rowsWhere(db.webhookEvents, (event) => event.team_id === team_id && matches(db, event, filter));
	const find = (team_ids: readonly string[], id: string) => {
		const event = db.webhookEvents.get(id);
		return event !== undefined && team_ids.includes(event.team_id) ? event : undefined;
	};
	return {
		list: async (team_id, filter, {body_chars, ...page}) => {
			const {data, ...bounds} = pageOf(select(team_id, filter).sort(newestFirst), page);
			return {...bounds, data: data.map((event) => cutBodies(shown(db, event), body_chars))};
		},
		get: async (team_ids, id) => {
			const event = find(team_ids, id);
			return event && shown(db, event);
		},
		received: async (team_ids, id) => {
			const event = find(team_ids, id);
			return event && receivedOf(event);
		},
		keys: async (team_id, filter, {after, limit}) =>
			select(team_id, filter)
				.filter((event) => isAfter(event, after))
				.sort(oldestFirst)
				.slice(0, limit)
				.map(({id, created_at}) => ({id, created_at})),
		retry: async (team_ids, id) => {
			const event = find(team_ids, id);
			return event && rearm(db, event);
		},
		purge: async (retention, limit) => {
			const over = rowsWhere(db.webhookEvents, (event) => isOver(db, event, retention)).slice(0, limit);
			for (const event of over) deleteEvent(db, event.id);
			return over.length;
		},
		purgeBodies: async (retention, limit) => {
			const isLeft = (event: EventRow) => event.body !== undefined && isOver(db, event, retention);
			const over = rowsWhere(db.webhookEvents, isLeft).slice(0, limit);
			for (const event of over) dropBodies(db, event);
			return over.length;
		},
	};
};
