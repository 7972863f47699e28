import {Metadata, type ServiceError, status} from '@grpc/grpc-js';
import type {DomainError, ErrorKind} from '@signalbox/core';

/** The one table of what a call can end with, and how gRPC says it. */
const statuses = {
	invalid: status.INVALID_ARGUMENT,
	unauthenticated: status.UNAUTHENTICATED,
	forbidden: status.PERMISSION_DENIED,
	missing: status.NOT_FOUND,
	conflict: status.FAILED_PRECONDITION,
	/** Too many calls, or a message too large: the same again will not do better at once. */
	limited: status.RESOURCE_EXHAUSTED,
	unsupported: status.UNIMPLEMENTED,
	/** The server is not there, or is about to stop: the same again will do later. */
	unavailable: status.UNAVAILABLE,
	timed_out: status.DEADLINE_EXCEEDED,
	/** The caller gave up. */
	canceled: status.CANCELLED,
	internal: status.INTERNAL,
} as const satisfies Record<string, status>;

export type RpcErrorKind = keyof typeof statuses;

export type RpcErrorOptions = ErrorOptions & Readonly<{retryAfterSeconds?: number | undefined}>;

/** What every call of a peer fails with. `message` is for people: what happened and what to do; it holds no secret. */
export class RpcError extends Error {
	override readonly name = 'RpcError';
	readonly kind: RpcErrorKind;
	/** Whole seconds after which the same call makes sense again; undefined where nobody can say. */
	readonly retryAfterSeconds: number | undefined;

	constructor(kind: RpcErrorKind, message: string, {retryAfterSeconds, ...options}: RpcErrorOptions = {}) {
		super(message, options);
		this.kind = kind;
		this.retryAfterSeconds = retryAfterSeconds;
	}
}

export const canceled = (): RpcError => new RpcError('canceled', 'The call was canceled.');

const kindsOfTheDomain: Readonly<Record<ErrorKind, RpcErrorKind>> = {
	invalid: 'invalid',
	unauthenticated: 'unauthenticated',
	forbidden: 'forbidden',
	missing: 'missing',
	conflict: 'conflict',
	too_large: 'limited',
	unsupported: 'unsupported',
	limited: 'limited',
	internal: 'internal',
	upstream: 'unavailable',
	unavailable: 'unavailable',
	upstream_late: 'timed_out',
};

// By its name, since this package takes types of the core only: an agent does not carry the domain with it.
const isDomainError = (thrown: unknown): thrown is DomainError =>
	thrown instanceof Error && thrown.name === 'DomainError';

/** What a caller is told about anything thrown on the server: nothing but what was thrown in order to be told. */
export const toldOf = (thrown: unknown): RpcError => {
	if (thrown instanceof RpcError) return thrown;
	if (isDomainError(thrown)) {
		const {kind, message, retryAfterSeconds} = thrown;
		return new RpcError(kindsOfTheDomain[kind], message, {cause: thrown, retryAfterSeconds});
	}
	return new RpcError('internal', 'Something went wrong on our side.', {cause: thrown});
};

/** As over HTTP, and in the same unit: whole seconds. */
const retryAfter = 'retry-after';

const trailersOf = (retryAfterSeconds: number): Metadata => {
	const trailers = new Metadata();
	trailers.set(retryAfter, String(retryAfterSeconds));
	return trailers;
};

/** An error as a gRPC server answers it. */
export const statusOf = ({
	kind,
	message,
	retryAfterSeconds,
}: RpcError): Readonly<{code: status; details: string; metadata?: Metadata}> => ({
	code: statuses[kind],
	details: message,
	...(retryAfterSeconds !== undefined && {metadata: trailersOf(retryAfterSeconds)}),
});

const retryAfterOf = (trailers: Metadata | undefined): number | undefined => {
	const text = String(trailers?.get(retryAfter)[0] ?? '');
	return /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined;
};

const kindsOfStatuses: ReadonlyMap<status, RpcErrorKind> = new Map<status, RpcErrorKind>([
	...Object.entries(statuses).map(([kind, code]) => [code, kind as RpcErrorKind] as const),
	[status.ALREADY_EXISTS, 'conflict'],
	[status.ABORTED, 'conflict'],
	[status.OUT_OF_RANGE, 'invalid'],
	// Not canceled by the caller, who would not ask: a server that is cut off says so of all its calls.
	[status.CANCELLED, 'unavailable'],
]);

/** How gRPC says it, around what the system said, which is what helps. */
const noConnection = /^No connection established\. Last error: (?:Error: )?(.*?)\.? Resolution note: *$/s;

/** An error as a gRPC client received it. `signal` is the caller's own. */
export const errorOf = (
	error: (Pick<ServiceError, 'code' | 'details'> & Partial<Pick<ServiceError, 'metadata'>>) | null,
	signal?: AbortSignal,
): RpcError => {
	if (signal?.aborted) return canceled();
	const kind = kindsOfStatuses.get(error?.code ?? status.UNKNOWN) ?? 'internal';
	const message = (error?.details ?? '').replace(noConnection, 'No connection to the server: $1');
	return new RpcError(kind, message, {retryAfterSeconds: retryAfterOf(error?.metadata)});
};
