import path from 'node:path';
import type {DriverName, SqlDatabase} from '@signalbox/adapters-sql';
import {instantOf, type Stores} from '@signalbox/core';
import type {StoreHarness} from '@signalbox/core/testing';
import type {TestFn} from 'ava';
import {copySqliteTemplate} from '../../../../test/support/sqlite-template.ts';
import {assembleDatabase} from '../../src/open-database.ts';
import {openSqlite} from '../../src/open-sqlite.ts';
import {raw} from '../../src/sql.ts';
import {createPlaces, type EmptyablePlace} from './places.ts';
import {temporaryFolder} from './temporary.ts';

/** An open database, whose clock is as far ahead of the machine's as its case moved it. */
type Place = Readonly<{database: SqlDatabase; clock: {offset: number}}> & EmptyablePlace;

/** Cases that run at once: each more holds threads of its own. */
const mostAtOnce = 4;

const openPlace = async (driver: DriverName, where: 'file' | 'memory'): Promise<Place> => {
	const clock = {offset: 0};
	const {folder, remove} = await temporaryFolder();
	const storage = where === 'memory' ? ':memory:' : path.join(folder, 'signalbox.db');
	if (where === 'file') await copySqliteTemplate(storage, driver);
	const parts = await openSqlite(storage, {existing: false, driver, clockOffset: () => clock.offset});
	const database = assembleDatabase(parts);
	if (where === 'memory') await database.migrate();
	const tables = await parts.connection.all(
		raw("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('schema_migrations', 'sqlite_sequence')"),
	);
	return {
		database,
		clock,
		empty: async () =>
			parts.connection.write(async (transaction) => {
				await transaction.all(raw('PRAGMA defer_foreign_keys = 1'));
				for (const {name} of tables) await transaction.run(raw(`DELETE FROM ${name}`));
			}),
		remove: async () => {
			await database.close();
			await remove();
		},
	};
};

/** How the contracts open this adapter: on files, or in memory. To open one takes longer than what most cases do with it. */
export const sqliteHarness = (test: TestFn, driver: DriverName, where: 'file' | 'memory'): StoreHarness<Stores> => {
	const places = createPlaces(mostAtOnce, async () => openPlace(driver, where));
	test.after.always(async () => places.removeAll());
	return {
		name: `${driver}, ${where}`,
		open: async () => {
			const place = await places.take();
			place.clock.offset = 0;
			return {
				stores: place.database.stores,
				advance: async (milliseconds) => {
					place.clock.offset += milliseconds;
				},
				now: () => instantOf(Date.now() + place.clock.offset),
				close: async () => places.giveBack(place),
			};
		},
	};
};
