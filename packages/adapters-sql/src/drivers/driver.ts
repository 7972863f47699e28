import type {Session} from '../session.ts';

/** Which library speaks SQLite in this process. */
export type DriverName = 'sqlite3' | 'node:sqlite';

export type SqliteDriver = Readonly<{
	name: DriverName;
	/** What Sequelize takes as its `dialectModule`. */
	module: object;
	/** A connection of its own to the file at this path, past Sequelize: it keeps its statements prepared. */
	open(storage: string): Promise<Session>;
}>;
