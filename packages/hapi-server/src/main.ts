import {readFileSync} from 'node:fs';
import {DomainError} from '@signalbox/core';
import {backup} from './commands/backup.ts';
import {type Command, type CommandContext, explainOutage, UsageError} from './commands/command.ts';
import {keys} from './commands/keys.ts';
import {migrate} from './commands/migrate.ts';
import {start} from './commands/start.ts';
import {users} from './commands/users.ts';
import {compose} from './compose.ts';
import {ConfigError, readConfig} from './config.ts';
import {placeOf} from './database-place.ts';
import {createLogStream} from './log-stream.ts';
import {createLogger} from './logging.ts';

const commands: ReadonlyMap<string, Command> = new Map([
	['start', start],
	['migrate', migrate],
	['keys', keys],
	['backup', backup],
	['users', users],
]);

const usage = `usage: signalbox-server <command>
  start                           runs the server until SIGTERM or SIGINT
  migrate                         applies the migrations that are missing
  keys rotate                     seals every secret anew under the newest master key
  keys check                      says whether the master keys that are set open every secret
  backup <file>                   copies a SQLite database while it is in use
  users list                      lists the accounts
  users reset-password <email>    prints a new password, and ends every session
  users disable | enable <email>  shuts somebody out, from the next request on, or lets them in again
  users set-plan <email> <plan>   says how much they may do
  --version                       says which release this is`;

const readVersion = (): string =>
	JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version as string;

/** Variables that are set already win over the file. */
const loadEnvFile = (): void => {
	try {
		process.loadEnvFile();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
};

const untilStopped = (): Promise<void> =>
	new Promise((resolve) => {
		for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
	});

/** Standard output is for people and scripts; logs go to standard error. */
const print = (line: string): void => {
	process.stdout.write(`${line}\n`);
};

/** Not by exit: that waits for threads, and those may wait for a lock. What has begun is in rows, and under leases. */
const abandon = (reason: string): void => {
	const end = () => process.kill(process.pid, 'SIGKILL');
	process.stderr.write(`${reason}\n`, end);
	setTimeout(end, 200);
};

const contextOf = (args: readonly string[]): CommandContext => {
	const config = readConfig(process.env);
	const log = createLogger(config.logLevel, createLogStream(process.stderr));
	return {config, args, print, untilStopped, abandon, compose: (options) => compose(config, {...options, log})};
};

/** A process that has ended its work waits for no reader of its log that stands still, and for one of its output it does. */
const endUnreadLog = (): void => {
	if (process.stderr.writableLength > 0 && process.stdout.writableLength === 0) process.exit();
};

const run = async ([name = '', ...args]: readonly string[]): Promise<void> => {
	if (['help', '--help', '-h'].includes(name) || args.includes('--help')) return print(usage);
	if (name === '--version' && args.length === 0) return print(readVersion());
	const command = commands.get(name);
	if (command === undefined) throw new UsageError(usage);
	loadEnvFile();
	const context = contextOf(args);
	await command(context).catch((error) => {
		throw explainOutage(error, `The database ${placeOf(context.config.databaseUrl)} is not available`);
	});
};

/** What the operator can mend: a message is enough. Everything else shows where it came from. */
const isExpected = (error: unknown): error is Error =>
	[UsageError, ConfigError, DomainError].some((kind) => error instanceof kind) ||
	(error instanceof Error && 'syscall' in error);

try {
	await run(process.argv.slice(2));
} catch (error) {
	process.stderr.write(`${isExpected(error) ? error.message : ((error as Error).stack ?? String(error))}\n`);
	process.exitCode = 1;
}
setTimeout(endUnreadLog, 1000).unref();
