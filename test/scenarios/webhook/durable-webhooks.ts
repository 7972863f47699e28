import {integrityOf, rowsOf} from '../../support/data-directory.ts';
import {type NumberedDestination, numberIn} from './numbered-destination.ts';
import type {Accepted} from './stubborn-senders.ts';

/** What is wrong between what senders saw, what arrived, and what the database kept. Empty: nothing. */
export type Faults = Readonly<{
	integrity: string;
	/** Accepted numbers that never arrived, or whose event is not on record. */
	lost: readonly number[];
	/** Numbers that were not accepted exactly once: one event is delivered, all others are duplicates of it. */
	doubled: readonly number[];
	/** Numbers that arrived under more than one id, or under that of another number. */
	renamed: readonly number[];
	/** Numbers that arrived more often than attempts were on record. */
	unrecorded: readonly number[];
	/** Events that were not delivered, or whose attempts do not say so, or say so more often than they arrived. */
	unsettled: readonly string[];
}>;

export const noFaults: Faults = {integrity: 'ok', lost: [], doubled: [], renamed: [], unrecorded: [], unsettled: []};

export type Audit = Readonly<{
	faults: Faults;
	/** Arrivals beyond the first of each number. */
	repeated: number;
	/** Attempts of unknown outcome: no fault, but what a crash leaves. */
	unknown_outcomes: number;
	/** Webhooks that were sent again although they had been accepted. */
	duplicates: number;
}>;

type StoredEvent = Readonly<{
	id: string;
	number: number;
	status: string;
	attempts: number;
	delivered: number;
	unknown: number;
}>;

const storedEvents = async (directory: string): Promise<readonly StoredEvent[]> => {
	const rows = await rowsOf(
		directory,
		`SELECT e.id, e.status, c.body, COUNT(a.id) AS attempts,
			SUM(a.outcome = 'delivered') AS delivered, SUM(a.outcome = 'unknown') AS unknown
		FROM webhook_events e JOIN webhook_event_contents c ON c.id = e.id
		LEFT JOIN webhook_deliveries d ON d.event_id = e.id LEFT JOIN webhook_attempts a ON a.delivery_id = d.id
		GROUP BY e.id, e.status, c.body`,
	);
	return rows.map(({id, status, body, attempts, delivered, unknown}) => ({
		id: String(id),
		number: numberIn(Buffer.from(body as Uint8Array).toString()),
		status: String(status),
		attempts: Number(attempts),
		delivered: Number(delivered),
		unknown: Number(unknown),
	}));
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Holds the database of a server that is not running against what its senders saw and its destination got. */
export const auditWebhooks = async (
	directory: string,
	accepted: readonly Accepted[],
	{arrivals}: NumberedDestination,
): Promise<Audit> => {
	const events = await storedEvents(directory);
	const ids = new Set(events.map(({id}) => id));
	const first = events.filter(({status}) => status !== 'duplicate');
	const numbers = [...new Set(accepted.map(({number}) => number))];
	const owners = Map.groupBy(
		numbers.flatMap((number) => [...new Set(arrivals(number))].map((id) => ({id, number}))),
		({id}) => id,
	);
	const eventsOf = Map.groupBy(first, ({number}) => number);
	return {
		faults: {
			integrity: await integrityOf(directory),
			lost: accepted
				.filter(({number, event_id}) => arrivals(number).length === 0 || !ids.has(event_id))
				.map(({number}) => number),
			doubled: numbers.filter((number) => eventsOf.get(number)?.length !== 1),
			renamed: numbers.filter((number) => {
				const [id = '', ...others] = new Set(arrivals(number));
				return others.length > 0 || owners.get(id)?.length !== 1;
			}),
			unrecorded: first.filter(({number, attempts}) => arrivals(number).length > attempts).map(({number}) => number),
			unsettled: first
				.filter(
					({status, delivered, number}) =>
						status !== 'delivered' || delivered === 0 || delivered > arrivals(number).length,
				)
				.map(({id}) => id),
		},
		repeated: sumOf(numbers.map((number) => arrivals(number).length - 1)),
		unknown_outcomes: sumOf(first.map(({unknown}) => unknown)),
		duplicates: events.length - first.length,
	};
};
