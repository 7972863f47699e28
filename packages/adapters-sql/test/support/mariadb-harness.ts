import {openDatabase} from '@signalbox/adapters-sql';
import {instantOf, type Stores} from '@signalbox/core';
import type {LimiterHarness, StoreHarness} from '@signalbox/core/testing';
import mysql from 'mysql2/promise';
import {giveBackDatabase, takeDatabase} from '../../../../test/support/database-pool.ts';
import {emptyTables} from '../../../../test/support/mariadb.ts';
import {limitersOn} from './limiter-harness.ts';
import {createPlaces, type EmptyablePlace} from './places.ts';

/** Cases that run at once, each on a database of its own: more would wait for the one server anyway. */
const mostAtOnce = 3;

export type Place = Readonly<{url: string}> & EmptyablePlace;

/** A database with the schema, and a way to empty it past the stores. */
export const makePlace = async (): Promise<Place> => {
	const logical = await takeDatabase();
	const database = await openDatabase({url: logical.url});
	await database.migrate();
	await database.close();
	const pool = mysql.createPool({uri: logical.url, connectionLimit: 1, multipleStatements: true});
	return {
		url: logical.url,
		empty: async () => emptyTables(pool),
		remove: async () => {
			await pool.end();
			await giveBackDatabase(logical);
		},
	};
};

export type MariadbHarnesses = Readonly<{
	harness: StoreHarness<Stores>;
	limiters: LimiterHarness;
	/** To be called after the last case. */
	drop(): Promise<void>;
}>;

/** How the contracts open this adapter on MariaDB. */
export const createMariadbHarness = (): MariadbHarnesses => {
	const places = createPlaces(mostAtOnce, makePlace);
	return {
		harness: {
			name: 'MariaDB',
			open: async () => {
				let offset = 0;
				const place = await places.take();
				const database = await openDatabase({url: place.url, clockOffset: () => offset});
				return {
					stores: database.stores,
					advance: async (milliseconds) => {
						offset += milliseconds;
					},
					now: () => instantOf(Date.now() + offset),
					close: async () => {
						await database.close();
						await places.giveBack(place);
					},
				};
			},
		},
		limiters: limitersOn('MariaDB', async () => {
			const place = await places.take();
			return {options: {url: place.url}, remove: async () => places.giveBack(place)};
		}),
		drop: places.removeAll,
	};
};
