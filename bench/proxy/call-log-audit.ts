import {zstdDecompressSync} from 'node:zlib';
import type {Records} from '../records.ts';
import type {Counted} from './contestant.ts';

/** Of the rows that were not looked at yet: whoever was answered had a call whose id is greater than all that were there before. */
const newRows = `SELECT count(*) AS added, max(id) AS last,
	coalesce(sum(status = 'success' AND request_body = ? AND response_body = ?), 0) AS unharmed
	FROM mcp_calls WHERE id > ?`;

type Rows = Readonly<{added: number; last: string | null; unharmed: number}>;

const zstandard = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const unpacked = (stored: Buffer): Buffer =>
	stored.subarray(0, zstandard.length).equals(zstandard) ? zstdDecompressSync(stored) : stored;

/** The body as its column has it, where it was packed: once is enough, as packing it gives the same bytes each time. */
const asKept = async (read: Records['read'], column: string, body: string): Promise<Buffer> => {
	const row = await read<Readonly<{stored: Uint8Array}> | undefined>(
		`SELECT ${column} AS stored FROM mcp_calls WHERE status = 'success' LIMIT 1`,
	);
	const [stored, sent] = [Buffer.from(row?.stored ?? []), Buffer.from(body)];
	return unpacked(stored).equals(sent) ? stored : sent;
};

/**
 * Compares the answers that clients had with what is in the call log, as another process sees it. A call on its way when a
 * load ended may be there or not, so the rows may be more than the answers by the connections used so far, and never fewer.
 * @returns what is called after each load. @throws Error when a call is missing, lacks a body, or is there twice.
 */
export const openAudit = ({read}: Pick<Records, 'read'>, bodies: Readonly<{request: string; response: string}>) => {
	let kept: readonly Buffer[] | undefined;
	let answered = 0;
	let mayBeMore = 0;
	let rows = 0;
	let whole = 0;
	let last = '';
	return async ({requests, connections}: Counted): Promise<void> => {
		kept ??= [await asKept(read, 'request_body', bodies.request), await asKept(read, 'response_body', bodies.response)];
		const found = await read<Rows>(newRows, [...kept, last]);
		answered += requests;
		mayBeMore += connections;
		rows += found.added;
		whole += found.unharmed;
		last = found.last ?? last;
		if (whole < answered || rows > answered + mayBeMore)
			throw new Error(`${answered} calls were answered, but the log has ${rows} rows, ${whole} of them whole`);
	};
};
