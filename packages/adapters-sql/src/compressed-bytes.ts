import {beginningOf, bytesPerCharacter} from './head-of.ts';
import {integer, raw, type Sql, sql} from './sql.ts';
import {type Codec, readBytes} from './table.ts';
import {compressFrame, decompressFrame} from './zstd-frame.ts';

/** A body of a page and more: from there on, what is not written saves more than compressing costs. */
const leastCompressed = 4096;

/** So much of a body can be read without the rest of it: more than a list shows. */
const headBytes = 128 * 1024;

const decompress = (stored: Uint8Array, head: number): Uint8Array => {
	const first = decompressFrame(stored.subarray(0, head));
	return head < stored.byteLength ? Buffer.concat([first, decompressFrame(stored.subarray(head))]) : first;
};

const headColumn = (column: string): string => `${column}_head`;

/**
 * Bytes that are kept compressed where that makes them smaller: two frames of Zstandard (RFC 8878), the first of which is the
 * beginning. Beside them stands how long that one is, or null where they are kept as they are.
 */
export const compressedBytes: Codec<Uint8Array> = {
	columns: (field) => [field, headColumn(field)],
	write: (bytes) => {
		if (bytes.byteLength < leastCompressed) return [bytes, null];
		const head = compressFrame(bytes.subarray(0, headBytes));
		const compressed =
			bytes.byteLength > headBytes ? Buffer.concat([head, compressFrame(bytes.subarray(headBytes))]) : head;
		return compressed.byteLength < bytes.byteLength ? [compressed, head.byteLength] : [bytes, null];
	},
	read: ([stored, head]) => {
		const bytes = readBytes(stored);
		return head === null ? bytes : readBytes(decompress(bytes, Number(head)));
	},
};

/**
 * The columns of a text that is kept as such bytes.
 * @param characters At least so many are read, and more where it is compressed. Default: all.
 */
export const compressedColumns = (column: string, characters?: number): Sql => {
	const head = raw(headColumn(column));
	if (characters === undefined || characters * bytesPerCharacter > headBytes) return sql`${raw(column)}, ${head}`;
	const bytes = sql`coalesce(${head}, ${integer(characters * bytesPerCharacter)})`;
	return sql`${beginningOf(column, bytes)}, ${head}`;
};
