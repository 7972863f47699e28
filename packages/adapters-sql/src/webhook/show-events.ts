import {
	type Attempt,
	decodeText,
	type RestingStatus,
	type StoredDelivery,
	showEvent,
	type WebhookEvent,
} from '@signalbox/core';
import {compressedColumns} from '../compressed-bytes.ts';
import type {Reader} from '../connection.ts';
import {headOf} from '../head-of.ts';
import {paddedList, sql} from '../sql.ts';
import {attempts, attemptsWithoutBody, type ShownDelivery, shownDeliveries} from './deliveries.table.ts';
import {type EventRow, shownContents, shownWithoutBody} from './events.table.ts';

const readContents = async (reader: Reader, ids: readonly string[], characters?: number) => {
	const rows = await reader.all(
		sql`SELECT ${shownWithoutBody.columns}, ${compressedColumns('body', characters)}
			FROM webhook_event_contents WHERE id IN ${paddedList(ids)}`,
	);
	return new Map(rows.map(shownContents.read).map((row) => [row.id, row]));
};

const readDeliveries = async (reader: Reader, event_ids: readonly string[]): Promise<readonly ShownDelivery[]> => {
	const rows = await reader.all(
		sql`SELECT ${shownDeliveries.columns} FROM webhook_deliveries
			WHERE event_id IN ${paddedList(event_ids)} ORDER BY id`,
	);
	return rows.map(shownDeliveries.read);
};

const readAttempts = async (
	reader: Reader,
	delivery_ids: readonly string[],
	characters?: number,
): Promise<readonly Attempt[]> => {
	const rows = await reader.all(
		sql`SELECT ${attemptsWithoutBody.columns}, ${headOf('response_body', characters)} FROM webhook_attempts
			WHERE delivery_id IN ${paddedList(delivery_ids)} ORDER BY number`,
	);
	return rows.map(attempts.read).map((attempt) => ({...attempt, response_body: decodeText(attempt.response_body)}));
};

const storedDelivery = (
	{
		due_at,
		leased: _,
		leased_by: __,
		available_at: ___,
		fence: ____,
		armed_attempts: _____,
		event_id: ______,
		...shown
	}: ShownDelivery,
	of: ReadonlyMap<string, readonly Attempt[]>,
): StoredDelivery => ({...shown, next_attempt_at: due_at, attempts: [...(of.get(shown.id) ?? [])]});

const completion = ({completed_at, id}: Attempt): string => `${completed_at} ${id}`;

const lastAnswered = (deliveries: readonly StoredDelivery[]): Attempt | undefined =>
	deliveries
		.flatMap((delivery) => delivery.attempts)
		.filter(({completed_at}) => completed_at !== null)
		.toSorted((a, b) => (completion(a) < completion(b) ? -1 : 1))
		.at(-1);

/** Events as people read them, with as much of their bodies as `cut` says: by default all. One that is gone by now is left out. */
export const showEvents = async (
	reader: Reader,
	events: readonly EventRow[],
	cut?: Readonly<{body_chars: number}>,
): Promise<readonly WebhookEvent[]> => {
	if (events.length === 0) return [];
	const ids = events.map(({id}) => id);
	// One more tells that there are more.
	const characters = cut && cut.body_chars + 1;
	const contents = await readContents(reader, ids, characters);
	const rows = await readDeliveries(reader, ids);
	const read = await readAttempts(
		reader,
		rows.map(({id}) => id),
		characters,
	);
	const attemptsOf = Map.groupBy(read, ({delivery_id}) => delivery_id);
	const deliveriesOf = Map.groupBy(rows, ({event_id}) => event_id);
	return events.flatMap(({status, team_id: _, user_id: __, replay_of: ___, ...event}) => {
		const content = contents.get(event.id);
		if (content === undefined) return [];
		const deliveries = (deliveriesOf.get(event.id) ?? []).map((row) => storedDelivery(row, attemptsOf));
		// Nothing else has no deliveries.
		const resting_status = deliveries.length === 0 ? (status as RestingStatus) : null;
		const stored = {...event, ...content, body: content.body ?? undefined, resting_status};
		return [showEvent(stored, deliveries, lastAnswered(deliveries))];
	});
};
