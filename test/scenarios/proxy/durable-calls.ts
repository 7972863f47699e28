import {countIn, integrityOf, rowsOf} from '../../support/data-directory.ts';
import {responseIn, type Seen} from './interrupted-load.ts';

/** One approval, as the database has it. */
export type StoredApproval = Readonly<{id: string; number: number; status: string; is_consumed: boolean}>;

/** What is wrong between what clients saw, what the upstream ran, and what the database kept. Empty: nothing. */
export type Faults = Readonly<{
	integrity: string;
	/** Answered calls of which the log holds no row, or another answer. */
	unlogged: readonly number[];
	/** Calls that ran more often than once. */
	repeated: readonly number[];
	/** Calls that ran although their approval was not used up. */
	unapproved: readonly number[];
	/** Used approvals without exactly one row under their id. */
	unsettled: readonly string[];
}>;

export type Audit = Readonly<{
	faults: Faults;
	/** Rows of unknown outcome: no fault, but what a crash leaves. */
	unknown_outcomes: number;
	rows: number;
}>;

export const noFaults: Faults = {integrity: 'ok', unlogged: [], repeated: [], unapproved: [], unsettled: []};

const textOf = (column: unknown): string => Buffer.from(column as Uint8Array).toString();

const numberIn = (body: string): number => Number(/"number":(\d+)/.exec(body)?.[1]);

export const storedApprovals = async (directory: string): Promise<readonly StoredApproval[]> => {
	const rows = await rowsOf(directory, 'SELECT id, request_body, status, consumed_at FROM approvals');
	return rows.map(({id, request_body, status, consumed_at}) => ({
		id: String(id),
		number: numberIn(String(request_body)),
		status: String(status),
		is_consumed: consumed_at !== null,
	}));
};

/** How many approvals somebody attends to, or did when the process died. */
export const attendedCalls = async (directory: string): Promise<number> =>
	countIn(directory, 'SELECT COUNT(*) AS count FROM attended_calls');

const isLogged = (answer: string, logged: readonly string[] | undefined): boolean => {
	const response = JSON.stringify(responseIn(answer));
	return logged?.some((body) => body !== '' && JSON.stringify(JSON.parse(body)) === response) ?? false;
};

/** Holds the database of a server that is not running against what its clients saw and its upstream ran. */
export const auditCalls = async (
	directory: string,
	seen: Seen,
	executions: (number: number) => number,
): Promise<Audit> => {
	const approvals = await storedApprovals(directory);
	const rows = await rowsOf(directory, 'SELECT id, request_body, response_body, error_message FROM mcp_calls');
	const answers = Map.groupBy(rows, ({request_body}) => numberIn(textOf(request_body)));
	const loggedOf = (number: number) => answers.get(number)?.map(({response_body}) => textOf(response_body));
	const ids = new Set(rows.map(({id}) => id));
	const numbers = [...seen.answered.keys(), ...seen.refused, ...seen.cut];
	return {
		faults: {
			integrity: await integrityOf(directory),
			unlogged: [...seen.answered]
				.filter(([number, answer]) => !isLogged(answer, loggedOf(number)))
				.map(([number]) => number),
			repeated: numbers.filter((number) => executions(number) > 1),
			unapproved: approvals.filter((one) => !one.is_consumed && executions(one.number) > 0).map(({number}) => number),
			unsettled: approvals.filter((one) => one.is_consumed && !ids.has(one.id)).map(({id}) => id),
		},
		unknown_outcomes: rows.filter(({error_message}) => error_message === 'outcome unknown').length,
		rows: rows.length,
	};
};
