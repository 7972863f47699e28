import type {ErrorKind} from '@signalbox/core';

/** The only place where kinds of errors meet HTTP status codes. */
export const statusByKind: Readonly<Record<ErrorKind, number>> = {
	invalid: 400,
	unauthenticated: 401,
	forbidden: 403,
	missing: 404,
	conflict: 409,
	too_large: 413,
	unsupported: 415,
	limited: 429,
	internal: 500,
	upstream: 502,
	unavailable: 503,
	upstream_late: 504,
};
