import {type DeliveryStore, type LeasedDelivery, type LeaseRequest, leasedDelivery} from '@signalbox/core';
import type {Connection} from '../connection.ts';
import type {Presence} from '../presence.ts';
import {readInstant} from '../table.ts';
import {plannedDeliveries} from './deliveries.table.ts';
import {receivedContents, sentEvents} from './events.table.ts';
import type {GroupedWriter} from './grouped-writer.ts';
import {earlier, liveLanes} from './lanes.ts';
import {endLeases, isSomethingDue, type LeasedTuples, releaseAll} from './lease-due.ts';

const readLeased = ({planned, event, content, lease}: LeasedTuples): LeasedDelivery => {
	const {id, headers, processed_headers, processed_body, body} = receivedContents.ofTuple(content);
	const plan = plannedDeliveries.ofTuple(planned);
	const processed = {headers: processed_headers, body: processed_body};
	return leasedDelivery(
		{id, ...sentEvents.ofTuple(event), headers, body: body ?? new Uint8Array(), processed},
		{...plan, destination_key: plan.lane.destination_key},
		lease,
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
): DeliveryStore => {
	let foundLast = false;
	const lease = async (request: LeaseRequest): Promise<readonly LeasedDelivery[]> => {
		// Most looks find nothing: they keep no writer waiting. After one that did, the next one mostly does, too.
		if (!foundLast && !(await isSomethingDue(connection, request))) return [];
		const leased = await writer.lease(request);
		foundLast = leased.length > 0;
		return leased.map(readLeased);
	};
	return {
		recover: async () => {
			let ended = 0;
			await presence.enter(async () => {
				ended = await connection.write(endLeases);
			});
			return ended;
		},
		lease,
		settle: writer.settle,
		release: async (leases) => {
			await connection.write(async (transaction) => releaseAll(transaction, leases));
		},
		nextDue: async () => nextDue(connection),
	};
};
