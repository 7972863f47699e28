import {type DatabaseOptions, type DriverName, openDatabase} from '@signalbox/adapters-sql';
import type {LimiterHarness} from '@signalbox/core/testing';
import {copySqliteTemplate} from '../../../../test/support/sqlite-template.ts';
import {temporaryFolder} from './temporary.ts';

type Place = Readonly<{options: DatabaseOptions; remove(): Promise<void>}>;

/** One database with the schema that is opened twice, as two processes do. */
export const limitersOn = (name: string, makePlace: () => Promise<Place>): LimiterHarness => ({
	name,
	open: async () => {
		let offset = 0;
		const {options, remove} = await makePlace();
		const open = () => openDatabase({...options, clockOffset: () => offset});
		const [one, other] = [await open(), await open()];
		return {
			limiters: [one.sharing.rateLimiter, other.sharing.rateLimiter],
			advance: async (milliseconds) => {
				offset += milliseconds;
			},
			now: () => Date.now() + offset,
			close: async () => {
				await Promise.all([one.close(), other.close()]);
				await remove();
			},
		};
	},
});

export const sqliteLimiters = (driver: DriverName): LimiterHarness =>
	limitersOn(driver, async () => {
		const {folder, remove} = await temporaryFolder();
		const storage = `${folder}/signalbox.db`;
		await copySqliteTemplate(storage, driver);
		return {options: {url: `sqlite:${storage}`, driver}, remove};
	});
