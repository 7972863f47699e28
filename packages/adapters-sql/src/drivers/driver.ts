/** Which library speaks SQLite in this process. */
export type DriverName = 'sqlite3' | 'node:sqlite';

/** What Sequelize takes as its `dialectModule`. */
export type SqliteDriver = Readonly<{name: DriverName; module: object}>;
