import {DomainError, type ErrorDetail} from '@signalbox/core';

/** The fields that users see, by the unique column behind them. */
const fields: Readonly<Record<string, string>> = {email_key: 'email', variable_key: 'key', slug: 'slug'};

/**
 * What SQLite answers while the disk is full, broken or locked, Sequelize after it was closed or while all is lent, and mysql2
 * on a connection that ended between two statements.
 */
const unavailable =
	/SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)|SQLITE_MISUSE: Database|manager was closed|Operation timeout|in closed state/i;

/**
 * What MySQL and mysql2 say while the server starts, stops, is full, locked or out of reach: the connection may have ended
 * before or after the statement took effect.
 */
const unavailableServer = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN',
	'PROTOCOL_CONNECTION_LOST',
	'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
	'PROTOCOL_ENQUEUE_AFTER_QUIT',
	'ER_CON_COUNT_ERROR',
	'ER_TOO_MANY_USER_CONNECTIONS',
	'ER_USER_LIMIT_REACHED',
	'ER_SERVER_SHUTDOWN',
	'ER_NORMAL_SHUTDOWN',
	'ER_NEW_ABORTING_CONNECTION',
	'ER_CONNECTION_KILLED',
	'ER_QUERY_INTERRUPTED',
	'ER_LOCK_WAIT_TIMEOUT',
	'ER_DISK_FULL',
	'ER_RECORD_FILE_FULL',
	'ER_OPTION_PREVENTS_STATEMENT',
	'ER_CANT_LOCK',
	'ER_LOCK_TABLE_FULL',
]);

/** ER_CHECKREAD is 1020: MariaDB, about a row that changed since the transaction's snapshot. */
const conflicts = new Set(['ER_LOCK_DEADLOCK', 'ER_CHECKREAD']);

const uniqueFailure = /UNIQUE constraint failed: (?<columns>.*)|Duplicate entry .* for key '(?<name>[^']*)'$/s;

type Failure = Readonly<{message: string; code: string | undefined}>;

/** Sequelize wraps what the driver threw, and its own message no longer says what that was. */
const failureOf = (error: unknown): Failure => {
	if (!(error instanceof Error)) return {message: String(error), code: undefined};
	if ('parent' in error && error.parent instanceof Error) return failureOf(error.parent);
	const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
	return {message: error.message, code};
};

const isUnavailable = ({message, code = ''}: Failure): boolean =>
	unavailable.test(message) || unavailableServer.has(code) || conflicts.has(code);

const uniqueDetails = (columns: string): readonly ErrorDetail[] => {
	const taken = Object.entries(fields).filter(([column]) => columns.includes(column));
	return taken.map(([, path]) => ({path, message: 'is taken'}));
};

/** What SQLite and MySQL say when a row names another one that is not there. */
const isOrphan = ({message, code = ''}: Failure): boolean =>
	message.includes('FOREIGN KEY constraint failed') || code.startsWith('ER_NO_REFERENCED_ROW');

/** Of these, what MySQL quotes are names of ours; of others, it may be a value. */
const quotesNames = new Set([
	'ER_NO_SUCH_TABLE',
	'ER_BAD_FIELD_ERROR',
	'ER_DATA_TOO_LONG',
	'ER_BAD_NULL_ERROR',
	'ER_BAD_DB_ERROR',
]);

const withoutValues = ({message, code}: Failure): string => {
	if (!code?.startsWith('ER_')) return message;
	return `${code}: ${quotesNames.has(code) ? message : message.replaceAll(/'.*'/gs, "'...'")}`;
};

/** Whether a transaction gave way to another one: it may begin again. */
export const isConflict = (error: unknown): boolean =>
	error instanceof DomainError && error.cause instanceof Error && conflicts.has(failureOf(error.cause).code ?? '');

/**
 * What a statement's failure means to the domain. Anything unforeseen becomes an Error without the statement and what it
 * bound: those may hold what no log should.
 */
export const translateError = (error: unknown): Error => {
	if (error instanceof DomainError) return error;
	const failure = failureOf(error);
	const unique = uniqueFailure.exec(failure.message)?.groups;
	if (unique) return new DomainError('resource_exists', {details: uniqueDetails(unique.columns ?? unique.name ?? '')});
	if (isOrphan(failure)) return new DomainError('resource_not_found');
	const told = new Error(withoutValues(failure));
	if (!isUnavailable(failure)) return told;
	return new DomainError('service_unavailable', {cause: Object.assign(told, {code: failure.code})});
};
