import type {McpCallEntry} from '@signalbox/core';
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

const leastSpared = 64 * 1024;

/** Bytes of the largest memory that is kept for the next group. */
export const mostSpared = 2 * 1024 * 1024;

/** With some room, so that it does for most groups that follow. */
const allocate = (size: number): ArrayBuffer =>
	new ArrayBuffer(size > mostSpared ? size : Math.max(leastSpared, 2 ** Math.ceil(Math.log2(size))));

/**
 * Values, not records: the names of a record's fields would be copied with each.
 * @param spare memory that came back from a group before, used again where it is large enough.
 */
export const packGroup = (entries: readonly McpCallEntry[], spare?: ArrayBuffer): PackedGroup => {
	const size = sizeOf(entries);
	const bodies = new Uint8Array(spare !== undefined && spare.byteLength >= size ? spare : allocate(size));
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
		tuple.push(take(row.at(-2)), take(row.at(-1)));
		return {call: writtenCalls.ofTuple(tuple), tuple};
	});
};
