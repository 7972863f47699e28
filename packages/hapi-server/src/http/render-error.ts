import {DomainError, type ErrorReason} from '@signalbox/core';
import {statusByKind} from './status-codes.ts';

/** An error as it leaves: the one envelope of every error answer. */
export type RenderedError = Readonly<{
	status: number;
	headers: Readonly<Record<string, string>>;
	body: Readonly<{
		error: Readonly<{
			code: string;
			message: string;
			details?: readonly Readonly<{path: string; message: string}>[];
			request_id: string;
		}>;
	}>;
}>;

/** What hapi itself refuses (an unknown route, a malformed URL, a body over the limit), by its status. */
const reasonByStatus: Readonly<Record<number, ErrorReason>> = {
	401: 'authentication_required',
	403: 'forbidden',
	409: 'conflict',
	413: 'payload_too_large',
	415: 'unsupported_media_type',
	429: 'rate_limited',
	502: 'bad_gateway',
	503: 'service_unavailable',
	504: 'gateway_timeout',
};

/** Unlike a record that is gone: that is another message. */
const nothingThere = 'Nothing answers to this method and path.';

const retryAfterWhenUnknown = 1;

const statusOf = (error: unknown): number => {
	const output = (error as {output?: {statusCode?: unknown}} | null)?.output;
	return typeof output?.statusCode === 'number' ? output.statusCode : 500;
};

/** Any thrown value as a DomainError. What was not thrown on purpose becomes `internal_error` and says nothing more. */
const asDomainError = (error: unknown): DomainError => {
	if (error instanceof DomainError) return error;
	const status = statusOf(error);
	if (status === 404) return new DomainError('resource_not_found', {message: nothingThere, cause: error});
	if (status >= 400 && status < 500)
		return new DomainError(reasonByStatus[status] ?? 'validation_error', {cause: error});
	return new DomainError(reasonByStatus[status] ?? 'internal_error', {cause: error});
};

const challengeOf = (error: DomainError): string =>
	error.reason === 'invalid_token' || error.reason === 'token_expired'
		? 'Bearer realm="signalbox", error="invalid_token"'
		: 'Bearer realm="signalbox"';

/** What an answer to it carries besides its body. */
export const headersOf = (error: DomainError): Record<string, string> => {
	if (error.kind === 'unauthenticated') return {'www-authenticate': challengeOf(error)};
	const passes = error.kind === 'limited' || error.kind === 'unavailable';
	const seconds = error.retryAfterSeconds ?? (passes ? retryAfterWhenUnknown : undefined);
	return seconds === undefined ? {} : {'retry-after': String(seconds)};
};

/** The one place where an error becomes an answer. */
export const renderError = (thrown: unknown, requestId: string): RenderedError => {
	const error = asDomainError(thrown);
	return {
		status: statusByKind[error.kind],
		headers: headersOf(error),
		body: {
			error: {
				code: error.code,
				message: error.message,
				...(error.details && error.details.length > 0 && {details: error.details}),
				request_id: requestId,
			},
		},
	};
};
