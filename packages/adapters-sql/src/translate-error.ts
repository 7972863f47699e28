import {DomainError, type ErrorDetail} from '@signalbox/core';

/** The fields that users see, by the unique column behind them. */
const fields: Readonly<Record<string, string>> = {email_key: 'email', variable_key: 'key', slug: 'slug'};

/** What SQLite answers while the disk is full, broken or locked, and Sequelize after it was closed. */
const unavailable =
	/SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)|SQLITE_MISUSE: Database|manager was closed/i;

const uniqueFailure = /UNIQUE constraint failed: (?<columns>.*)/;

/** Sequelize wraps what the driver threw, and its own message no longer says what that was. */
const messageOf = (error: unknown): string => {
	if (!(error instanceof Error)) return String(error);
	return 'parent' in error && error.parent instanceof Error ? error.parent.message : error.message;
};

const uniqueDetails = (columns: string): readonly ErrorDetail[] => {
	const taken = Object.entries(fields).filter(([column]) => columns.split(', ').some((name) => name.endsWith(column)));
	return taken.map(([, path]) => ({path, message: 'is taken'}));
};

/**
 * What a statement's failure means to the domain. Anything unforeseen becomes an Error without the statement and what it
 * bound: those may hold what no log should.
 */
export const translateError = (error: unknown): Error => {
	if (error instanceof DomainError) return error;
	const message = messageOf(error);
	const unique = uniqueFailure.exec(message)?.groups;
	if (unique) return new DomainError('resource_exists', {details: uniqueDetails(unique.columns ?? '')});
	if (message.includes('FOREIGN KEY constraint failed')) return new DomainError('resource_not_found');
	if (unavailable.test(message)) return new DomainError('service_unavailable', {cause: new Error(message)});
	return new Error(message);
};
