import type {Reader} from '../connection.ts';
import {join, paddedList, raw, type Sql, sql} from '../sql.ts';
import type {Row} from '../table.ts';

/** How busy a destination is, and how long what is next for it has been waiting. Instants as they are stored. */
export type Lane = Readonly<{
	destination_key: string;
	/** Leases that hold. */
	leased: number;
	/** Those of them that are the holder's who asks. */
	own: number;
	/** When the first of those that nobody holds is due, past or to come. */
	due_at: string | null;
	/** When the first lease runs out, or ran out. */
	lapses_at: string | null;
}>;

const firstAvailable = (leased: 0 | 1): Sql =>
	sql`(SELECT MIN(d.available_at) FROM webhook_deliveries d
		WHERE d.destination_key = k.destination_key AND d.leased = ${raw(String(leased))} AND d.available_at IS NOT NULL)`;

/** Whoever asks says who they are, if they hold leases by that name. */
type Asker = string | undefined;

const held = (now: Sql): Sql =>
	sql`FROM webhook_deliveries d
		WHERE d.destination_key = k.destination_key AND d.leased = 1 AND d.available_at > ${now}`;

/** Of each destination of `keys`, a derived table with one column. A few index lookups each, however much waits. */
const selectLanes = (keys: Sql, now: Sql, holder: Asker): Sql =>
	sql`SELECT k.destination_key, (SELECT COUNT(*) ${held(now)}) AS leased,
		${holder === undefined ? raw('0') : sql`(SELECT COUNT(*) ${held(now)} AND d.leased_by = ${holder})`} AS own,
		${firstAvailable(0)} AS due_at, ${firstAvailable(1)} AS lapses_at, ${now} AS now
		FROM ${keys} k WHERE k.destination_key IS NOT NULL`;

const instantOrNull = (column: unknown): string | null => (column === null ? null : String(column));

const readLane = (row: Row): Lane => ({
	destination_key: String(row.destination_key),
	leased: Number(row.leased),
	own: Number(row.own),
	due_at: instantOrNull(row.due_at),
	lapses_at: instantOrNull(row.lapses_at),
});

/** The earlier of two instants, where there is one. */
export const earlier = (a: string | null, b: string | null): string | null => {
	if (a === null || b === null) return a ?? b;
	return a < b ? a : b;
};

/** When the first delivery of the destination may be leased, past or to come. */
export const availableAt = ({due_at, lapses_at}: Lane): string | null => earlier(due_at, lapses_at);

const next = (after: Sql): Sql =>
	sql`(SELECT MIN(d.destination_key) FROM webhook_deliveries d WHERE d.available_at IS NOT NULL ${after})`;

/**
 * Every destination for which something waits or is leased: the index is asked for the next key again and again, so that
 * ten thousand deliveries that wait for one destination are passed over in one step.
 */
export const liveLanes = async (
	reader: Reader,
	holder?: string,
): Promise<Readonly<{now: string | undefined; lanes: readonly Lane[]}>> => {
	const keys = sql`WITH RECURSIVE destinations (destination_key) AS (
		SELECT ${next(raw(''))}
		UNION ALL
		SELECT ${next(raw('AND d.destination_key > destinations.destination_key'))} FROM destinations
		WHERE destinations.destination_key IS NOT NULL)`;
	const rows = await reader.all(sql`${keys} ${selectLanes(raw('destinations'), reader.now(), holder)}`);
	return {now: instantOrNull(rows[0]?.now ?? null) ?? undefined, lanes: rows.map(readLane)};
};

/** Destinations asked for in one statement. */
const keysAtOnce = 16;

/** Of these destinations, whether something waits there or not. `now` is as it is stored. */
export const lanesOf = async (
	reader: Reader,
	destination_keys: readonly string[],
	{now, holder}: Readonly<{now: string; holder: Asker}>,
): Promise<Lane[]> => {
	const lanes: Lane[] = [];
	for (let start = 0; start < destination_keys.length; start += keysAtOnce) {
		const {values} = paddedList(destination_keys.slice(start, start + keysAtOnce));
		// UNION drops what the padding repeats.
		const keys = join(
			values.map((value) => sql`SELECT ${value} AS destination_key`),
			' UNION ',
		);
		const rows = await reader.all(selectLanes(sql`(${keys})`, sql`${now}`, holder));
		lanes.push(...rows.map(readLane));
	}
	return lanes;
};
