import type {Umzug} from 'umzug';
import {type Connection, first, type Reader, storeNow, type Transaction} from '../connection.ts';
import {raw, type Sql, sql} from '../sql.ts';
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
import {expiredTokens} from './0010-expired-tokens.ts';
import {sharing} from './0011-sharing.ts';
import {laneLocks} from './0012-lane-locks.ts';
import {listedFilters} from './0013-listed-filters.ts';
import {dayRollups} from './0014-day-rollups.ts';
import {flaggedIndexes} from './0015-flagged-indexes.ts';
import {liveEvents} from './0016-live-events.ts';
import {notificationChannels} from './0017-notification-channels.ts';
import {exactArguments} from './0018-exact-arguments.ts';
import {userLanes} from './0019-user-lanes.ts';
import {rollupDeltas} from './0020-rollup-deltas.ts';
import {packedBodies} from './0021-packed-bodies.ts';
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
	expiredTokens,
	sharing,
	laneLocks,
	listedFilters,
	dayRollups,
	flaggedIndexes,
	liveEvents,
	notificationChannels,
	exactArguments,
	userLanes,
	rollupDeltas,
	packedBodies,
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

/** What is there already is passed over: where each statement is committed, an earlier attempt may have ended half done. */
const apply = async (transaction: Transaction, migration: Migration): Promise<void> => {
	const {tables = [], columns = [], fills = [], indexes = [], flagged_indexes = [], dropped_indexes = []} = migration;
	const {addColumn, findColumn, addIndex, addFlaggedIndex, dropIndex, findIndex} = transaction.dialect;
	const unless = async (found: Sql, change: Sql): Promise<void> => {
		if ((await first(transaction, found)) === undefined) await transaction.all(change);
	};
	await createTables(transaction, tables);
	for (const added of columns) await unless(findColumn(added.table, added.column), addColumn(added));
	for (const fill of fills) await transaction.run(fill);
	for (const added of indexes) await unless(findIndex(added), addIndex(added));
	for (const flagged of flagged_indexes) {
		const added = addFlaggedIndex(flagged);
		if (added) await unless(findColumn(flagged.table, added.flag), added.change);
	}
	for (const dropped of dropped_indexes)
		if (await first(transaction, findIndex(dropped))) await transaction.all(dropIndex(dropped));
};

const createTables = async (transaction: Transaction, tables: readonly TableDefinition[]): Promise<void> => {
	for (const table of tables) {
		for (const statement of transaction.dialect.createTable(table)) await transaction.all(statement);
	}
};

/** Loaded where something is pending: it takes 20 MiB, and most starts find nothing. */
const migrator = async (transaction: Transaction): Promise<Umzug<Transaction>> => {
	const {Umzug} = await import('umzug');
	return new Umzug<Transaction>({
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
};

/** Names of the migrations that a newer release applied. */
export const newerMigrations = async (reader: Reader): Promise<readonly string[]> => {
	const known = new Set(migrations.map(({name}) => name));
	return (await applied(reader)).filter((name) => !known.has(name));
};

/** A database of a newer release may hold what this one would misread. */
const refuseNewer = async (reader: Reader): Promise<void> => {
	const unknown = await newerMigrations(reader);
	if (unknown.length > 0) throw new Error(`The database was migrated by a newer release: ${unknown.join(', ')}`);
};

/** Tables of somebody else that bear our names would be taken for ours, and half of the others be made beside them. */
const refuseForeign = async (reader: Reader): Promise<void> => {
	const foreign: string[] = [];
	for (const {name} of migrations.flatMap(({tables = []}) => tables))
		if ((await first(reader, reader.dialect.findTable(name))) !== undefined) foreign.push(name);
	if (foreign.length === 0) return;
	throw new Error(
		`The database holds tables that Signalbox did not make (${foreign.join(', ')}): give it an empty database of its own`,
	);
};

/** Names of the migrations that were not applied yet, in order. */
export const pendingMigrations = async (reader: Reader): Promise<readonly string[]> => {
	const done = new Set(await applied(reader));
	return migrations.map(({name}) => name).filter((name) => !done.has(name));
};

/** Applies what is pending. Of several processes that start at once, the others wait and then find nothing to do. */
export const migrate = async (connection: Connection): Promise<void> =>
	connection.exclusive(async (transaction) => {
		if (!(await hasLedger(transaction))) {
			await refuseForeign(transaction);
			await createTables(transaction, [ledger]);
		}
		await refuseNewer(transaction);
		if ((await pendingMigrations(transaction)).length > 0) await (await migrator(transaction)).up();
	});
