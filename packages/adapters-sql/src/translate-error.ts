import {DomainError, type ErrorDetail} from '@signalbox/core';
import {ConnectionError, ForeignKeyConstraintError, TimeoutError, UniqueConstraintError} from 'sequelize';

/** The fields that users see, by the unique column behind them. */
const fields: Readonly<Record<string, string>> = {email_key: 'email', variable_key: 'key', slug: 'slug'};

/** What SQLite answers while the disk is full, broken or locked, and Sequelize after it was closed. */
const unavailable =
	/SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)|SQLITE_MISUSE: Database|manager was closed/i;

const uniqueDetails = (error: UniqueConstraintError): readonly ErrorDetail[] => {
	// SQLite names the columns; MySQL names the index, which is called after its table and columns.
	const named = Array.isArray(error.fields) ? error.fields.map(String) : Object.keys(error.fields ?? {});
	const paths = Object.entries(fields).filter(([column]) => named.some((name) => name.endsWith(column)));
	return paths.map(([, path]) => ({path, message: 'is taken'}));
};

/**
 * What a statement's failure means to the domain. Anything unforeseen becomes an Error without the statement and what it
 * bound: those may hold what no log should.
 */
export const translateError = (error: unknown): Error => {
	if (error instanceof DomainError) return error;
	if (error instanceof UniqueConstraintError) {
		return new DomainError('resource_exists', {details: uniqueDetails(error)});
	}
	if (error instanceof ForeignKeyConstraintError) return new DomainError('resource_not_found');
	const message = error instanceof Error ? error.message : String(error);
	if (error instanceof TimeoutError || error instanceof ConnectionError || unavailable.test(message)) {
		return new DomainError('service_unavailable', {cause: new Error(message)});
	}
	return new Error(message);
};
