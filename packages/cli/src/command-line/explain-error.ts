import {ApiError} from '@signalbox/client-sdk';
import {RpcError, type RpcErrorKind} from '@signalbox/rpc';
import {NotLoggedInError} from '../login/credentials.ts';
import {NotFoundError, UsageError} from './command.ts';
import {printable} from './printable.ts';

/** What went wrong, as people and programs are told, and the exit code that says so. */
export type Explanation = Readonly<{
	exitCode: 1 | 2 | 3 | 4;
	message: string;
	code: string;
	details?: ApiError['details'];
	request_id?: string | undefined;
}>;

const exitCodes: Readonly<Partial<Record<RpcErrorKind, Explanation['exitCode']>>> = {
	unauthenticated: 3,
	unavailable: 4,
	timed_out: 4,
};

const explainApi = ({status, message, code, details, requestId}: ApiError): Explanation => ({
	exitCode: status === 401 ? 3 : 1,
	message,
	code: code ?? `http_${status}`,
	...(details.length > 0 && {details}),
	request_id: requestId,
});

/** How fetch says that nobody answered, and in time. */
const isUnreachable = (error: unknown): error is Error =>
	(error instanceof TypeError && error.message === 'fetch failed') ||
	(error instanceof DOMException && error.name === 'TimeoutError');

const causeOf = ({cause}: Error): string => {
	const {code, message} = (cause ?? {}) as NodeJS.ErrnoException;
	// Of several addresses that were tried there is no message, but a code; the message of one says where.
	return message || code || 'no answer in time';
};

export const explainError = (error: unknown): Explanation => {
	if (error instanceof ApiError) return explainApi(error);
	if (error instanceof RpcError)
		return {exitCode: exitCodes[error.kind] ?? 1, message: error.message || error.kind, code: error.kind};
	if (error instanceof UsageError) return {exitCode: 2, message: error.message, code: 'usage'};
	// As the server says it of an id.
	if (error instanceof NotFoundError) return {exitCode: 1, message: error.message, code: 'resource_not_found'};
	if (error instanceof NotLoggedInError) return {exitCode: 3, message: error.message, code: 'not_logged_in'};
	if (isUnreachable(error))
		return {exitCode: 4, message: `The API cannot be reached: ${causeOf(error)}`, code: 'unreachable'};
	return {exitCode: 1, message: error instanceof Error ? error.message : String(error), code: 'failed'};
};

/** Codes that tell a person nothing that the message does not. */
const bareCodes: ReadonlySet<string> = new Set(['usage', 'failed']);

/** For people: what happened, which fields are at fault, and what names it in the server's logs. */
export const explanationText = ({message, code, details = [], request_id}: Explanation): string => {
	const names = [!bareCodes.has(code) && code, request_id !== undefined && `request ${request_id}`].filter(Boolean);
	// The message of a single one says it already.
	const fields = details
		.map(({path, message: problem}) => `${path}: ${problem}`)
		.filter((field) => field !== message)
		.map((field) => `  ${field}`);
	return `${[names.length === 0 ? message : `${message} (${names.join(', ')})`, ...fields].map(printable).join('\n')}\n`;
};
