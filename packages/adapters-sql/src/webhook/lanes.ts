import type {Reader} from '../connection.ts';
import type {Dialect} from '../dialect.ts';
import {join, raw, type Sql, sql} from '../sql.ts';
import type {Row} from '../table.ts';
import {behindLanes, type LaneName, laneKey, readLaneKey} from './lane-key.ts';

/** How busy a destination is, and how long what is next for it of one user has been waiting. Instants as they are stored. */
export type Lane = LaneName &
	Readonly<{
		/** Leases of the destination that hold, of all users. */
		leased: number;
		/** Those of them that are the holder's who asks. */
		own: number;
		/** When the first of those that nobody holds is due, past or to come. */
		due_at: string | null;
		/** When the first lease runs out, or ran out. */
		lapses_at: string | null;
	}>;

/** Whoever asks says who they are, if they hold leases by that name. */
type Asker = Readonly<{now: Sql; holder: string | undefined}>;

const firstAvailable = ({isSet}: Dialect, key: Sql, leased: 0 | 1): Sql =>
	sql`(SELECT d.available_at FROM webhook_deliveries d WHERE d.destination_key = ${key} AND d.leased = ${raw(String(leased))}
		AND ${isSet('d.available_at')} ORDER BY d.available_at LIMIT 1)`;

const held = ({isSet}: Dialect, keys: Sql, now: Sql): Sql =>
	sql`FROM webhook_deliveries d WHERE d.leased = 1 AND ${keys} AND ${isSet('d.available_at')} AND d.available_at > ${now}`;

/** Of each lane of `keys`, a derived table with one column. A few index lookups each, however much waits. */
const selectLanes = (dialect: Dialect, keys: Sql, {now, holder}: Asker): Sql => {
	const ofLane = held(dialect, raw('d.destination_key = k.destination_key'), now);
	const key = raw('k.destination_key');
	return sql`SELECT k.destination_key, (SELECT COUNT(*) ${ofLane}) AS leased,
		${holder === undefined ? raw('0') : sql`(SELECT COUNT(*) ${ofLane} AND d.leased_by = ${holder})`} AS own,
		${firstAvailable(dialect, key, 0)} AS due_at, ${firstAvailable(dialect, key, 1)} AS lapses_at, ${now} AS now
		FROM ${keys} k`;
};

/** Of one lane, with the leases of its whole destination. Values, not columns: only by these MySQL finds a part of an index. */
const selectLane = (dialect: Dialect, lane: LaneName, {now, holder}: Asker): Sql => {
	const {destination_key} = lane;
	const key = sql`${laneKey(lane)}`;
	const keys = sql`d.destination_key >= ${destination_key} AND d.destination_key < ${behindLanes(destination_key)}`;
	const own = holder === undefined ? raw('0') : sql`COUNT(CASE WHEN d.leased_by = ${holder} THEN 1 END)`;
	return sql`SELECT ${key} AS destination_key, COUNT(*) AS leased, ${own} AS own,
		${firstAvailable(dialect, key, 0)} AS due_at, ${firstAvailable(dialect, key, 1)} AS lapses_at
		${held(dialect, keys, now)}`;
};

const instantOrNull = (column: unknown): string | null => (column === null ? null : String(column));

export const readLane = (row: Row): Lane => ({
	...readLaneKey(String(row.destination_key)),
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

/** When the first delivery of the lane may be leased, past or to come. */
export const availableAt = ({due_at, lapses_at}: Lane): string | null => earlier(due_at, lapses_at);

/** Each with the leases of all lanes of its destination. */
const summed = (lanes: readonly Lane[]): readonly Lane[] => {
	const sums = new Map<string, {leased: number; own: number}>();
	for (const {destination_key, leased, own} of lanes) {
		const sum = sums.get(destination_key) ?? {leased: 0, own: 0};
		sums.set(destination_key, {leased: sum.leased + leased, own: sum.own + own});
	}
	return lanes.map((lane) => ({...lane, ...sums.get(lane.destination_key)}));
};

/** Every lane in which something waits or is leased. Ten thousand deliveries that wait in one are passed over. */
export const liveLanes = async (
	reader: Reader,
	holder?: string,
): Promise<Readonly<{now: string | undefined; lanes: readonly Lane[]}>> => {
	const {dialect} = reader;
	const of = {table: 'webhook_deliveries', column: 'destination_key', where_set: 'available_at', flag: 'leased'};
	const rows = await reader.all(selectLanes(dialect, dialect.distinctKeys(of), {now: reader.now(), holder}));
	return {now: instantOrNull(rows[0]?.now ?? null) ?? undefined, lanes: summed(rows.map(readLane))};
};

/** Lanes asked for in one statement: its text stays short enough to be kept prepared. */
const lanesAtOnce = 6;

/** Asks of these lanes, whether something waits there or not. `now` is as it is stored. */
export const lanesOf = (
	dialect: Dialect,
	lanes: readonly LaneName[],
	{now, holder}: Readonly<{now: string; holder: string | undefined}>,
): readonly Sql[] => {
	const asks = lanes.map((lane) => selectLane(dialect, lane, {now: sql`${now}`, holder}));
	const statements: Sql[] = [];
	for (let start = 0; start < asks.length; start += lanesAtOnce)
		statements.push(join(asks.slice(start, start + lanesAtOnce), ' UNION ALL '));
	return statements;
};
