import {type DeliveryStore, type LeasedDelivery, leasedDelivery} from '@signalbox/core';
import type {Connection} from '../connection.ts';
import type {Presence} from '../presence.ts';
import {readInstant} from '../table.ts';
import {type AttemptRow, plannedDeliveries} from './deliveries.table.ts';
import {eventContents, webhookEvents} from './events.table.ts';
import type {GroupedWriter} from './grouped-writer.ts';
import {earlier, liveLanes} from './lanes.ts';
import {endLeases, isSomethingDue, type LeasedRows, releaseAll} from './lease-due.ts';

const begun = ({id, number, started_at}: AttemptRow) => ({id, number, started_at});

const readLeased = ({delivery, event, content, attempt, retries}: LeasedRows): LeasedDelivery => {
	const {headers, processed_headers, processed_body, body} = eventContents.read(content);
	const processed = {headers: processed_headers, body: processed_body};
	const {id, endpoint_id, team_id, method} = webhookEvents.read(event);
	return leasedDelivery(
		{id, endpoint_id, team_id, method, headers, body: body ?? new Uint8Array(), processed},
		{...plannedDeliveries.read(delivery), delay_seconds: 0},
		{fence: Number(delivery.fence), retries, attempt: begun(attempt)},
	);
};

const nextDue = async (connection: Connection): Promise<string | undefined> => {
	const {lanes} = await liveLanes(connection);
	const next = lanes.reduce<string | null>(
		(first, {due_at, lapses_at}) => earlier(first, earlier(due_at, lapses_at)),
		null,
	);
	return next === null ? undefined : readInstant(next);
};

export const createDeliveryStore = (
	connection: Connection,
	writer: GroupedWriter,
	presence: Presence,
): DeliveryStore => ({
	recover: async () => {
		let ended = 0;
		await presence.enter(async () => {
			ended = await connection.write(endLeases);
		});
		return ended;
	},
	// Most looks find nothing: they keep no writer waiting.
	lease: async (request) =>
		(await isSomethingDue(connection, request)) ? (await writer.lease(request)).map(readLeased) : [],
	settle: writer.settle,
	release: async (leases) => {
		await connection.write(async (transaction) => releaseAll(transaction, leases));
	},
	nextDue: async () => nextDue(connection),
});
