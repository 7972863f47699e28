import type {McpCallEntry} from '@signalbox/core';
import {compressedBytes} from '../../compressed-bytes.ts';
import type {SpareMemory} from '../../spare-memory.ts';
import type {SqlValue} from '../../sql.ts';
import {callsWithoutBodies, writtenCalls} from '../calls.table.ts';
import type {CallRow} from './write-calls.ts';

/** A row whose bodies stand apart: their lengths are its last two values. */
type PackedRow = readonly (string | number | null)[];

/** Rows on their way to another thread: all bodies in one buffer, which is moved, not copied. */
export type PackedGroup = Readonly<{rows: readonly PackedRow[]; bodies: ArrayBuffer}>;

const sizeOf = (entries: readonly McpCallEntry[]): number => {
	let size = 0;
	for (const {request_body, response_body} of entries) size += request_body.byteLength + response_body.byteLength;
	return size;
};

/**
 * Values, not records: the names of a record's fields would be copied with each.
 * @param memory where the bodies go.
 */
export const packGroup = (entries: readonly McpCallEntry[], memory: SpareMemory): PackedGroup => {
	const bodies = new Uint8Array(memory.take(sizeOf(entries)));
	let offset = 0;
	const put = (part: Uint8Array): number => {
		bodies.set(part, offset);
		offset += part.byteLength;
		return part.byteLength;
	};
	const rows = entries.map((entry) => {
		const row = callsWithoutBodies.tuple(entry) as (string | number | null)[];
		row.push(put(entry.request_body), put(entry.response_body));
		return row;
	});
	return {rows, bodies: bodies.buffer};
};

export const unpackGroup = ({rows, bodies}: PackedGroup): readonly CallRow[] => {
	let offset = 0;
	const take = (length: SqlValue | undefined): Uint8Array => {
		// A Buffer: what both drivers bind as a BLOB.
		const part = Buffer.from(bodies, offset, Number(length));
		offset += part.length;
		return part;
	};
	return rows.map((row) => {
		const tuple: SqlValue[] = row.slice(0, -2);
		for (const length of row.slice(-2)) tuple.push(...compressedBytes.write(take(length)));
		return {call: writtenCalls.ofTuple(tuple), tuple};
	});
};
