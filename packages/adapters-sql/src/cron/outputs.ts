import {decodeText, lastText, type OutputChunk} from '@signalbox/core';
import type {Reader, Transaction} from '../connection.ts';
import {integer, paddedList, raw, type Sql, sql} from '../sql.ts';
import {readBytes} from '../table.ts';
import type {ExecutionRow, ExecutionState} from './executions.table.ts';
import {executions, outputs} from './executions.table.ts';

type Printed = Pick<ExecutionRow & ExecutionState, 'id' | 'kept_bytes'>;

/** The end of what is kept as bytes, as much as `bytes`, under the name of its column. */
const endOf = (column: string, bytes: number): Sql =>
	sql`substr(${raw(column)}, CASE WHEN LENGTH(${raw(column)}) > ${integer(bytes)}
		THEN LENGTH(${raw(column)}) - ${integer(bytes - 1)} ELSE 1 END) AS ${raw(column)}`;

const joined = (chunks: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks));

/** All that was kept of what it printed. */
export const readOutput = async (reader: Reader, {id, kept_bytes}: Printed): Promise<string> => {
	if (kept_bytes === 0) return '';
	const rows = await reader.all(sql`SELECT data FROM cron_outputs WHERE execution_id = ${id} ORDER BY starts_at`);
	return decodeText(joined(rows.map(({data}) => readBytes(data))));
};

/** By execution, the last `bytes` of what it printed, beginning with a whole character. */
export const readOutputEnds = async (
	reader: Reader,
	printed: readonly Printed[],
	bytes: number,
): Promise<ReadonlyMap<string, string>> => {
	const ids = printed.filter(({kept_bytes}) => kept_bytes > 0).map(({id}) => id);
	if (ids.length === 0) return new Map();
	// One byte more: where there is one, the text does not begin there.
	const rows = await reader.all(
		sql`SELECT o.execution_id, ${endOf('data', bytes + 1)} FROM cron_outputs o JOIN cron_executions e ON e.id = o.execution_id
			WHERE o.execution_id IN ${paddedList(ids)} AND o.ends_at > e.kept_bytes - ${integer(bytes + 1)}
			ORDER BY o.execution_id, o.starts_at`,
	);
	const byExecution = Map.groupBy(rows, ({execution_id}) => String(execution_id));
	return new Map(
		Array.from(byExecution, ([id, chunks]) => [id, lastText(joined(chunks.map(({data}) => readBytes(data))), bytes)]),
	);
};

/** Adds what is new of a chunk, and drops what is too much. @returns the offset up to which everything is there. */
export const appendOutput = async (
	transaction: Transaction,
	{id, kept_bytes, received_bytes}: Printed & Pick<ExecutionState, 'received_bytes'>,
	{offset, stream, data, most_bytes}: OutputChunk & Readonly<{most_bytes: number}>,
): Promise<number> => {
	const end = offset + data.length;
	if (offset > received_bytes || end <= received_bytes) return received_bytes;
	const fresh = data.subarray(received_bytes - offset);
	const kept = fresh.subarray(0, Math.max(0, most_bytes - kept_bytes));
	const ends_at = kept_bytes + kept.length;
	if (kept.length > 0) {
		await transaction.run(outputs.insert([{execution_id: id, starts_at: kept_bytes, ends_at, stream, data: kept}]));
	}
	const truncated = kept.length < fresh.length || undefined;
	const changes = executions.set({kept_bytes: ends_at, received_bytes: end, truncated});
	await transaction.run(sql`UPDATE cron_executions SET ${changes} WHERE id = ${id}`);
	return end;
};
