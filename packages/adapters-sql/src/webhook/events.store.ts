import {
	cutBodies,
	type EventFilter,
	type EventKey,
	type EventStore,
	type ReceivedEvent,
	type WebhookEvent,
} from '@signalbox/core';
import {type Connection, first, type Reader} from '../connection.ts';
import {newestPage} from '../page.ts';
import {and, integer, list, type Sql, sql} from '../sql.ts';
import {readInstant, storedInstant} from '../table.ts';
import {type EventRow, eventContents, webhookEvents} from './events.table.ts';
import {purgeBodies, purgeEvents} from './purge-events.ts';
import {rearm} from './rearm.ts';
import {showEvents} from './show-events.ts';

const matching = (team_id: string, {endpoint_id, status, from, to}: EventFilter): Sql => {
	const conditions = [sql`team_id = ${team_id}`];
	if (endpoint_id !== undefined) conditions.push(sql`endpoint_id = ${endpoint_id}`);
	if (status !== undefined) conditions.push(sql`status = ${status}`);
	if (from !== undefined) conditions.push(sql`created_at >= ${storedInstant(from)}`);
	if (to !== undefined) conditions.push(sql`created_at < ${storedInstant(to)}`);
	return and(conditions);
};

const reachable = (team_ids: readonly string[], id: string): Sql => sql`id = ${id} AND team_id IN ${list(team_ids)}`;

const isAfter = ({created_at, id}: EventKey): Sql => {
	const at = storedInstant(created_at);
	return sql`created_at >= ${at} AND (created_at > ${at} OR id > ${id})`;
};

const findEvent = async (reader: Reader, one: Sql): Promise<EventRow | undefined> => {
	const row = await first(reader, sql`SELECT ${webhookEvents.columns} FROM webhook_events WHERE ${one}`);
	return row && webhookEvents.read(row);
};

const received = async (reader: Reader, one: Sql): Promise<ReceivedEvent | undefined> => {
	const event = await findEvent(reader, one);
	if (event === undefined) return undefined;
	const row = await first(
		reader,
		sql`SELECT ${eventContents.columns} FROM webhook_event_contents WHERE id = ${event.id}`,
	);
	if (row === undefined) return undefined;
	const {status: _, ...rest} = event;
	const {headers, body} = eventContents.read(row);
	return {...rest, headers, body: body ?? undefined};
};

const listPage = async (
	connection: Connection,
	condition: Sql,
	{body_chars, ...page}: Parameters<EventStore['list']>[2],
) => {
	const {data, ...bounds} = await newestPage(connection, {table: webhookEvents, condition}, page);
	const events = await showEvents(connection, data, {body_chars});
	return {...bounds, data: events.map((event) => cutBodies(event, body_chars))};
};

/** What `after` names is not before `from`: with both bounds SQLite would enter the index at `from`, for each page anew. */
const keysOf = (team_id: string, filter: EventFilter, after: EventKey | null): Sql =>
	after === null ? matching(team_id, filter) : and([matching(team_id, {...filter, from: undefined}), isAfter(after)]);

const selectKeys = async (connection: Connection, condition: Sql, limit: number): Promise<readonly EventKey[]> => {
	const rows = await connection.all(
		sql`SELECT id, created_at FROM webhook_events WHERE ${condition} ORDER BY created_at, id LIMIT ${integer(limit)}`,
	);
	return rows.map(({id, created_at}) => ({id: String(id), created_at: readInstant(created_at)}));
};

export const createEventStore = (connection: Connection): EventStore => ({
	list: async (team_id, filter, page) => listPage(connection, matching(team_id, filter), page),
	get: async (team_ids, id): Promise<WebhookEvent | undefined> => {
		const event = await findEvent(connection, reachable(team_ids, id));
		return event && (await showEvents(connection, [event])).at(0);
	},
	received: async (team_ids, id) => received(connection, reachable(team_ids, id)),
	keys: async (team_id, filter, {after, limit}) => selectKeys(connection, keysOf(team_id, filter, after), limit),
	retry: async (team_ids, id) =>
		connection.write(async (transaction) => {
			const event = await findEvent(transaction, reachable(team_ids, id));
			return event && rearm(transaction, event.id);
		}),
	purgeBodies: async (...order) => purgeBodies(connection, ...order),
	purge: async (...order) => purgeEvents(connection, ...order),
});
