import type {MessagePort} from 'node:worker_threads';
import type {Sql, SqlValue} from './sql.ts';
import type {Row} from './table.ts';

/** One connection to a database, with nothing added: no transactions, no queue, errors as the driver throws them. */
export type Session = Readonly<{
	all(statement: Sql): Promise<readonly Row[]>;
	/** Of a statement that answers no rows: one of those would stay under way. @returns how many rows it changed. */
	run(statement: Sql): Promise<number>;
	/** Inserts rows of equal length in the way that is fastest here. `into` is the INSERT up to and with VALUES. */
	insert(into: Sql, rows: readonly (readonly SqlValue[])[]): Promise<void>;
	/** Calls after it fail. */
	close(): Promise<void>;
}>;

/** What a session has besides that lives in a thread of its own: something else may live there, too, and save a thread. */
export type Hosting = Readonly<{
	/**
	 * Imports that file in the thread, and calls its `serve(port, data)`. @returns the other port, which closes when the service
	 * has closed its own, could not be started, or the thread has ended.
	 */
	host(url: URL, data: unknown): MessagePort;
	/** Whether the thread has ended, and the session and all services with it. */
	hasEnded(): boolean;
}>;

export type Serve = (port: MessagePort, data: unknown) => Promise<void>;
