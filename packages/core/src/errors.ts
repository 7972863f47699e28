import type {ErrorDetail} from './values/error-detail.ts';

export type ErrorKind =
	| 'invalid'
	| 'unauthenticated'
	| 'forbidden'
	| 'missing'
	| 'conflict'
	| 'too_large'
	| 'unsupported'
	| 'limited'
	| 'internal'
	| 'upstream'
	| 'unavailable'
	| 'upstream_late';

/** The one table of what can go wrong: the reason, its kind, and the stable `code` that callers see. */
const reasons = {
	validation_error: {kind: 'invalid', code: 'validation_error', message: 'The request is not valid.'},
	invalid_credentials: {kind: 'unauthenticated', code: 'invalid_credentials', message: 'Wrong email or password.'},
	wrong_current_password: {kind: 'invalid', code: 'invalid_credentials', message: 'The current password is wrong.'},
	authentication_required: {
		kind: 'unauthenticated',
		code: 'authentication_required',
		message: 'Send an access token in Authorization, or an API key in X-API-Key.',
	},
	invalid_token: {kind: 'unauthenticated', code: 'invalid_token', message: 'The token is not valid.'},
	token_expired: {kind: 'unauthenticated', code: 'token_expired', message: 'The access token has expired: refresh it.'},
	forbidden: {kind: 'forbidden', code: 'forbidden', message: 'This credential may not do that.'},
	plan_limit_reached: {kind: 'forbidden', code: 'plan_limit_reached', message: 'The limit of your plan is reached.'},
	resource_not_found: {kind: 'missing', code: 'resource_not_found', message: 'There is no such resource.'},
	resource_exists: {kind: 'conflict', code: 'resource_exists', message: 'A resource of that name exists already.'},
	conflict: {kind: 'conflict', code: 'conflict', message: 'The resource is not in a state that allows this.'},
	payload_too_large: {kind: 'too_large', code: 'payload_too_large', message: 'The body is too large.'},
	unsupported_media_type: {
		kind: 'unsupported',
		code: 'unsupported_media_type',
		message: 'Send the body as application/json without content-encoding.',
	},
	rate_limited: {kind: 'limited', code: 'rate_limited', message: 'Too many requests: wait, then try again.'},
	internal_error: {kind: 'internal', code: 'internal_error', message: 'Something went wrong on our side.'},
	bad_gateway: {kind: 'upstream', code: 'bad_gateway', message: 'The upstream did not answer properly.'},
	service_unavailable: {
		kind: 'unavailable',
		code: 'service_unavailable',
		message: 'Not available now: try again soon.',
	},
	gateway_timeout: {kind: 'upstream_late', code: 'gateway_timeout', message: 'The upstream did not answer in time.'},
} as const satisfies Record<string, {kind: ErrorKind; code: string; message: string}>;

export type ErrorReason = keyof typeof reasons;
export type ErrorCode = (typeof reasons)[ErrorReason]['code'];

export type DomainErrorData = Readonly<{
	/** What happened and what to do, for people. Never holds a secret. */
	message?: string;
	/** The fields at fault. */
	details?: readonly ErrorDetail[];
	/** Whole seconds after which trying again makes sense. */
	retryAfterSeconds?: number;
	cause?: unknown;
}>;

/** The only error that the domain throws on purpose. */
export class DomainError extends Error {
	override readonly name = 'DomainError';
	readonly reason: ErrorReason;
	readonly kind: ErrorKind;
	readonly code: ErrorCode;
	readonly details: readonly ErrorDetail[] | undefined;
	readonly retryAfterSeconds: number | undefined;

	constructor(reason: ErrorReason, data: DomainErrorData = {}) {
		super(data.message ?? reasons[reason].message, data.cause === undefined ? undefined : {cause: data.cause});
		this.reason = reason;
		this.kind = reasons[reason].kind;
		this.code = reasons[reason].code;
		this.details = data.details;
		this.retryAfterSeconds = data.retryAfterSeconds;
	}
}

/** True when the store, or what else was asked, is away: trying again later may help. */
export const isUnavailable = (error: unknown): boolean =>
	error instanceof DomainError && error.reason === 'service_unavailable';

/** A `validation_error` about the fields at fault: the details name them all, the message the first. */
export const invalidFields = (details: readonly ErrorDetail[]): DomainError => {
	const [first] = details;
	return new DomainError('validation_error', {...(first && {message: `${first.path}: ${first.message}`}), details});
};

/** A `conflict`: steps or rules of a webhook endpoint are bounded, since each webhook passes all of them. */
export const endpointIsFull = (most: number): DomainError =>
	new DomainError('conflict', {message: `The endpoint has ${most} of them already, and takes no more: delete one.`});

/** A `conflict`: every login of a host may make an agent, and what lists and counts them stays small. */
export const agentsAreFull = (most: number): DomainError =>
	new DomainError('conflict', {message: `You have ${most} agents already, and can have no more: delete one.`});

/** A `conflict`: each notification goes to all of them. */
export const channelsAreFull = (most: number): DomainError =>
	new DomainError('conflict', {
		message: `You have ${most} notification channels already, and can have no more: delete one.`,
	});

/** A `conflict`: each request of a user reads all of their teams. */
export const teamsAreFull = (most: number): DomainError =>
	new DomainError('conflict', {message: `A user is in at most ${most} teams.`});

/** A `validation_error` about one field. */
export const invalidField = (path: string, message: string): DomainError => invalidFields([{path, message}]);
