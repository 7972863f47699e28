import {QueryTypes, Sequelize} from 'sequelize';
import type {SqliteDriver} from './drivers/driver.ts';
import type {Session} from './session.ts';
import {join, render, sql} from './sql.ts';
import type {Row} from './table.ts';

/** Rows per INSERT: more gain nothing, and SQLite binds no more than 32,766 values. */
const rowsPerInsert = 64;

export const connectSequelize = (storage: string, driver: SqliteDriver): Sequelize =>
	new Sequelize({
		dialect: 'sqlite',
		dialectModule: driver.module,
		storage,
		logging: false,
		// Waiting is the busy timeout's; Sequelize's own retries would multiply it.
		retry: {max: 1},
	});

/**
 * Statements go in as text with binds. That spares the models' overhead, and Sequelize's `PRAGMA table_info` before each
 * SELECT, which it runs for tables named in backticks.
 */
export const sequelizeSession = (sequelize: Sequelize): Session => {
	const run: Session['run'] = async (statement) => {
		const {text, bind} = render(statement);
		// The one query type whose answer is the number of changed rows whatever the statement.
		return sequelize.query(text, {type: QueryTypes.BULKUPDATE, bind: [...bind]});
	};
	return {
		all: async (statement) => {
			const {text, bind} = render(statement);
			return sequelize.query<Row>(text, {type: QueryTypes.SELECT, raw: true, bind: [...bind]});
		},
		run,
		insert: async (into, rows) => {
			for (let start = 0; start < rows.length; start += rowsPerInsert) {
				const tuples = rows.slice(start, start + rowsPerInsert).map((row) => sql`(${join(row, ', ')})`);
				await run(sql`${into} ${join(tuples, ', ')}`);
			}
		},
		close: async () => sequelize.close(),
	};
};
