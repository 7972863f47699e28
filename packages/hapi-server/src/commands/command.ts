import {DomainError, isUnavailable} from '@signalbox/core';
import type {ComposeOverrides, Composition} from '../compose.ts';
import type {Config} from '../config.ts';
import {rootOf} from '../outage-filter.ts';

/** What a command works with. */
export type CommandContext = Readonly<{
	config: Config;
	/** What stands behind the command's name. */
	args: readonly string[];
	/** One line for people, or for scripts that wait for it. */
	print(line: string): void;
	/** The server's parts, put together once they are needed; the caller stops what it composed. */
	compose(options?: Pick<ComposeOverrides, 'existing' | 'serves'>): Promise<Composition>;
	/** Resolves when the process is asked to end. */
	untilStopped(): Promise<void>;
	/** Ends the process at once, saying why. */
	abandon(reason: string): void;
}>;

export type Command = (context: CommandContext) => Promise<void>;

/** The command line was not understood; the message says how to write it. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** What is typed behind a command that takes nothing is a setting, as a rule: without it the command does something else. */
export const refuseArguments = (name: string, [first]: readonly string[]): void => {
	if (first !== undefined)
		throw new UsageError(
			`${name} takes no arguments, not ${first}: settings are variables, as in PORT=8080 signalbox-server start`,
		);
};

/** Says what is behind an outage: callers of the API cannot mend it, whoever runs the server can. */
export const explainOutage = (error: unknown, what: string): unknown => {
	if (!(isUnavailable(error) && error instanceof Error && error.cause instanceof Error)) return error;
	return new DomainError('service_unavailable', {message: `${what}: ${rootOf(error).message}`});
};

type Work = (composition: Composition) => Promise<void>;

/**
 * Works on the database as it is, and stops again. In a wrong folder a new, empty database would be an answer, too: it
 * must be there already.
 */
export const withDatabase = async (context: CommandContext, work: Work): Promise<void> => {
	if (context.config.databaseUrl === 'sqlite::memory:')
		throw new UsageError('DATABASE_URL: a database in memory is gone with the server that made it');
	const composition = await context.compose({existing: true, serves: false}).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'ENOENT') throw error;
		throw new UsageError(
			`${error.path ?? 'The database'} is not there: set DATA_DIR or DATABASE_URL as the server has it`,
		);
	});
	try {
		await work(composition);
	} finally {
		await composition.stop();
	}
};

/** The same, once the database is as this release needs it. Migrating is for `start` and `migrate` alone. */
export const withMigratedDatabase = (context: CommandContext, work: Work): Promise<void> =>
	withDatabase(context, async (composition) => {
		const newer = await composition.database.newer();
		if (newer.length > 0)
			throw new UsageError(
				`The database was migrated by a newer release (${newer.join(', ')}): use that one here, too`,
			);
		const pending = await composition.database.pending();
		if (pending.length > 0)
			throw new UsageError(`The database lacks ${pending.join(', ')}: run signalbox-server migrate`);
		await work(composition);
	});
