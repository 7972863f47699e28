import type {Reader} from '../connection.ts';
import type {Dialect} from '../dialect.ts';
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

const ofLane = ({isSet}: Dialect, leased: 0 | 1): Sql =>
	sql`FROM webhook_deliveries d WHERE d.destination_key = k.destination_key AND d.leased = ${raw(String(leased))}
		AND ${isSet('d.available_at')}`;

const firstAvailable = (dialect: Dialect, leased: 0 | 1): Sql =>
	sql`(SELECT d.available_at ${ofLane(dialect, leased)} ORDER BY d.available_at LIMIT 1)`;

/** Whoever asks says who they are, if they hold leases by that name. */
type Asker = string | undefined;

const held = (dialect: Dialect, now: Sql): Sql => sql`${ofLane(dialect, 1)} AND d.available_at > ${now}`;

/** Of each destination of `keys`, a derived table with one column. A few index lookups each, however much waits. */
const selectLanes = (dialect: Dialect, keys: Sql, {now, holder}: Readonly<{now: Sql; holder: Asker}>): Sql =>
	sql`SELECT k.destination_key, (SELECT COUNT(*) ${held(dialect, now)}) AS leased,
		${holder === undefined ? raw('0') : sql`(SELECT COUNT(*) ${held(dialect, now)} AND d.leased_by = ${holder})`} AS own,
		${firstAvailable(dialect, 0)} AS due_at, ${firstAvailable(dialect, 1)} AS lapses_at, ${now} AS now
		FROM ${keys} k`;

const instantOrNull = (column: unknown): string | null => (column === null ? null : String(column));

export const readLane = (row: Row): Lane => ({
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

/** Every destination for which something waits or is leased. Ten thousand deliveries that wait for one are passed over. */
export const liveLanes = async (
	reader: Reader,
	holder?: string,
): Promise<Readonly<{now: string | undefined; lanes: readonly Lane[]}>> => {
	const {dialect} = reader;
	const of = {table: 'webhook_deliveries', column: 'destination_key', where_set: 'available_at'};
	const rows = await reader.all(selectLanes(dialect, dialect.distinctKeys(of), {now: reader.now(), holder}));
	return {now: instantOrNull(rows[0]?.now ?? null) ?? undefined, lanes: rows.map(readLane)};
};

/** Destinations asked for in one statement. */
const keysAtOnce = 16;

/** Asks of these destinations, whether something waits there or not. `now` is as it is stored. */
export const lanesOf = (
	dialect: Dialect,
	destination_keys: readonly string[],
	{now, holder}: Readonly<{now: string; holder: Asker}>,
): readonly Sql[] => {
	const statements: Sql[] = [];
	for (let start = 0; start < destination_keys.length; start += keysAtOnce) {
		const {values} = paddedList(destination_keys.slice(start, start + keysAtOnce));
		// UNION drops what the padding repeats.
		const keys = join(
			values.map((value) => sql`SELECT ${value} AS destination_key`),
			' UNION ',
		);
		statements.push(selectLanes(dialect, sql`(${keys})`, {now: sql`${now}`, holder}));
	}
	return statements;
};
