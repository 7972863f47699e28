import {ApiError} from './api-error.ts';
import type {OperationErrors} from './generated/operations.gen.ts';
import type {Refusal} from './operation.ts';

/** Like `mcp.approvals.approve`. */
export type OperationId = keyof OperationErrors;

/** The codes that an operation answers when it says no. */
export type ErrorCodeOf<Id extends OperationId> = OperationErrors[Id]['code'];

/** Distributes over refusals, so that a code tells the status. */
type Refused<R, Code> =
	R extends Refusal<infer Status, infer Codes>
		? [Extract<Codes, Code>] extends [never]
			? never
			: ApiError & Refusal<Status, Extract<Codes, Code>>
		: never;

/** An {@link ApiError} of one operation, for one of these reasons; its `code` tells its `status`. */
export type OperationError<Id extends OperationId, Code extends ErrorCodeOf<Id> = ErrorCodeOf<Id>> = Refused<
	OperationErrors[Id],
	Code
>;

/** Something before the API answered, such as a gateway. */
type Unexplained = ApiError & Readonly<{code: undefined}>;

/**
 * Whether an error is an answer of the API that says no: to any call, to a call of one operation, or for one reason.
 * `isApiError(error, 'mcp.approvals.approve', 'conflict')`: somebody decided before.
 */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Id extends OperationId>(
	error: unknown,
	operation: Id,
): error is OperationError<Id> | Unexplained;
export function isApiError<Id extends OperationId, Code extends ErrorCodeOf<Id>>(
	error: unknown,
	operation: Id,
	code: Code,
): error is OperationError<Id, Code>;
export function isApiError(error: unknown, operation?: string, code?: string): boolean {
	return (
		error instanceof ApiError &&
		(operation === undefined || error.operation === operation) &&
		(code === undefined || error.code === code)
	);
}
