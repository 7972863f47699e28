import type {Hosting, Session} from '../session.ts';

/** Which library speaks SQLite in this process. */
export type DriverName = 'sqlite3' | 'node:sqlite';

export type SqliteDriver = Readonly<{
	name: DriverName;
	/** A connection to the file at this path, whose statements hold up no thread that runs JavaScript, or to a database in memory. */
	open(storage: string): Promise<Session & Partial<Hosting>>;
	/** The same for a thread that does nothing else, which the statements may hold up if that makes them faster. */
	openHere(storage: string): Promise<Session>;
}>;
