import {DatabaseSync} from 'node:sqlite';
import type {Counted} from './contestant.ts';

type Rows = Readonly<{rows: number; whole: number; last: number | null}>;

/** Of the rows that were not looked at yet: they are committed in the order of their rowid. */
const newRows = `SELECT count(*) AS rows, max(rowid) AS last,
	coalesce(sum(status = 'success' AND request_body = ? AND response_body = ?), 0) AS whole
	FROM mcp_calls WHERE rowid > ?`;

/**
 * Compares the answers that clients had with what is in the call log, as another process sees it. A call on its way when a
 * load ended may be there or not, so the rows may be more than the answers by the connections used so far, and never fewer.
 */
export const openAudit = (file: string, bodies: Readonly<{request: string; response: string}>) => {
	const database = new DatabaseSync(file, {readOnly: true});
	const statement = database.prepare(newRows);
	const [request, response] = [Buffer.from(bodies.request), Buffer.from(bodies.response)];
	let answered = 0;
	let mayBeMore = 0;
	let rows = 0;
	let whole = 0;
	let last = 0;
	return {
		/** Call it after each load. @throws Error when a call is missing, lacks a body, or is there twice. */
		check: ({requests, connections}: Counted): void => {
			const found = statement.get(request, response, last) as Rows;
			answered += requests;
			mayBeMore += connections;
			rows += found.rows;
			whole += found.whole;
			last = found.last ?? last;
			if (whole < answered || rows > answered + mayBeMore)
				throw new Error(`${answered} calls were answered, but the log has ${rows} rows, ${whole} of them whole`);
		},
		close: () => database.close(),
	};
};
