import path from 'node:path';
import {type DriverName, openDatabase} from '@signalbox/adapters-sql';
import {instantOf, type Stores} from '@signalbox/core';
import type {StoreHarness} from '@signalbox/core/testing';
import {temporaryFolder} from './temporary.ts';

/** How the contract opens this adapter: on a file of its own, or in memory. */
export const sqliteHarness = (driver: DriverName, where: 'file' | 'memory'): StoreHarness<Stores> => ({
	name: `${driver}, ${where}`,
	open: async () => {
		let offset = 0;
		const {folder, remove} = await temporaryFolder();
		const storage = where === 'memory' ? ':memory:' : path.join(folder, 'signalbox.db');
		const database = await openDatabase({url: `sqlite:${storage}`, driver, clockOffset: () => offset});
		await database.migrate();
		return {
			stores: database.stores,
			advance: async (milliseconds) => {
				offset += milliseconds;
			},
			now: () => instantOf(Date.now() + offset),
			close: async () => {
				await database.close();
				await remove();
			},
		};
	},
});
