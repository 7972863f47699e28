import type {Connection} from './connection.ts';
import type {OpenWriters} from './fast-writers.ts';
import type {Presence} from './presence.ts';

/** What a database of either kind consists of, once it is open. */
export type DatabaseParts = OpenWriters &
	Readonly<{
		connection: Connection;
		presence: Presence;
		backup(file: string): Promise<void>;
		/** Whether what is written is kept where it will be looked for. @throws service_unavailable Default: it is. */
		look?(): Promise<void>;
	}>;
