import {DomainError} from '@signalbox/core';
import {Umzug} from 'umzug';
import {type Connection, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {raw, sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {initial} from './0001-initial.ts';
import {rounds} from './0002-rounds.ts';
import {attendedCalls} from './0003-attended-calls.ts';
import {webhooks} from './0004-webhooks.ts';
import {cron} from './0005-cron.ts';
import {deviceLogins} from './0006-device-logins.ts';
import {chains} from './0007-chains.ts';
import {notices} from './0008-notices.ts';
import {leaseHolders} from './0009-lease-holders.ts';
import type {Migration, TableDefinition} from './definition.ts';

const migrations: readonly Migration[] = [
	initial,
	rounds,
	attendedCalls,
	webhooks,
	cron,
	deviceLogins,
	chains,
	notices,
	leaseHolders,
];

const ledger: TableDefinition = {
	name: 'schema_migrations',
	columns: {name: 'code', applied_at: 'instant'},
	key: ['name'],
};

const hasLedger = async (reader: Reader): Promise<boolean> =>
	(await first(reader, reader.dialect.findTable(ledger.name))) !== undefined;

const applied = async (reader: Reader): Promise<string[]> => {
	if (!(await hasLedger(reader))) return [];
	return (await reader.all(raw('SELECT name FROM schema_migrations ORDER BY name'))).map(({name}) => String(name));
};

const apply = async (transaction: Transaction, {tables = [], columns = []}: Migration): Promise<void> => {
	await createTables(transaction, tables);
	for (const added of columns) await transaction.all(transaction.dialect.addColumn(added));
};

const createTables = async (transaction: Transaction, tables: readonly TableDefinition[]): Promise<void> => {
	for (const table of tables) {
		for (const statement of transaction.dialect.createTable(table)) await transaction.all(statement);
	}
};

const migrator = (transaction: Transaction): Umzug<Transaction> =>
	new Umzug<Transaction>({
		context: transaction,
		logger: undefined,
		migrations: migrations.map((each) => ({name: each.name, up: async ({context}) => apply(context, each)})),
		storage: {
			executed: async ({context}) => applied(context),
			logMigration: async ({name, context}) => {
				const now = storedInstant(await storeNow(context));
				await context.run(sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${name}, ${now})`);
			},
			unlogMigration: async ({name}) => {
				throw new Error(`${name}: migrations only go forward`);
			},
		},
	});

/** A database of a newer release may hold what this one would misread. */
const refuseNewer = async (reader: Reader): Promise<void> => {
	const known = new Set(migrations.map(({name}) => name));
	const unknown = (await applied(reader)).filter((name) => !known.has(name));
	if (unknown.length > 0) throw new Error(`The database was migrated by a newer release: ${unknown.join(', ')}`);
};

const migrateOnce = async (connection: Connection): Promise<void> =>
	connection.write(async (transaction) => {
		if (!(await hasLedger(transaction))) await createTables(transaction, [ledger]);
		await refuseNewer(transaction);
		await migrator(transaction).up();
	});

/** For how long another process's migration is waited out: on a large database it outlasts what an ordinary write waits. */
const patienceMs = 600_000;

const isLocked = (error: unknown): boolean =>
	error instanceof DomainError && error.cause instanceof Error && /SQLITE_BUSY/.test(error.cause.message);

/**
 * Applies what is pending, all of it or nothing. The write transaction around it is the lock: of several processes that
 * start at once, the others wait and then find nothing to do. (MySQL commits at each CREATE TABLE: there, GET_LOCK.)
 */
export const migrate = async (connection: Connection): Promise<void> => {
	const deadline = performance.now() + patienceMs;
	for (;;) {
		try {
			return await migrateOnce(connection);
		} catch (error) {
			if (!isLocked(error) || performance.now() > deadline) throw error;
		}
	}
};

/** Names of the migrations that were not applied yet, in order. */
export const pendingMigrations = async (connection: Connection): Promise<readonly string[]> => {
	const done = new Set(await applied(connection));
	return migrations.map(({name}) => name).filter((name) => !done.has(name));
};
