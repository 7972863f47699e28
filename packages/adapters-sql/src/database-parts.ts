import type {Connection} from './connection.ts';
import type {OpenWriters} from './fast-writers.ts';
import type {Presence} from './presence.ts';

/** What a database of either kind consists of, once it is open. */
export type DatabaseParts = OpenWriters &
	Readonly<{connection: Connection; presence: Presence; backup(file: string): Promise<void>}>;
