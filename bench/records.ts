import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {createLogicalDatabase, type LogicalDatabase} from '../test/support/mariadb.ts';
import type {EngineName} from './engine.ts';

type Value = string | Buffer;

/** The records of a server, as another process reads them. */
export type Records = Readonly<{
	/** What the server is told of its database. */
	variables: Readonly<Record<string, string>>;
	/** The first row; once the server has made its tables. */
	read<T>(statement: string, values?: readonly Value[]): Promise<T>;
	close(): Promise<void>;
}>;

const inFile = (file: string): Records => {
	let opened: DatabaseSync | undefined;
	return {
		variables: {},
		read: async <T>(statement: string, values: readonly Value[] = []) => {
			opened ??= new DatabaseSync(file, {readOnly: true});
			return opened.prepare(statement).get(...values) as T;
		},
		close: async () => opened?.close(),
	};
};

/** A server on a shared database makes none by itself. Nothing that they seal outlives the run. */
const keyOf = (use: string): string => `bench:${createHash('sha256').update(use).digest('base64')}`;

/** MariaDB answers sums as text. */
const numberIn = (value: unknown): unknown => (/^\d+$/.test(String(value)) ? Number(value) : value);

const onServer = ({url, query, drop}: LogicalDatabase): Records => ({
	variables: {DATABASE_URL: url, SIGNALBOX_MASTER_KEYS: keyOf('master'), SIGNALBOX_JWT_KEYS: keyOf('jwt')},
	read: async <T>(statement: string, values: readonly Value[] = []) => {
		const [row] = (await query(statement, values)) as readonly Record<string, unknown>[];
		return Object.fromEntries(Object.entries(row ?? {}).map(([column, value]) => [column, numberIn(value)])) as T;
	},
	close: drop,
});

/** Of a fresh database; their end removes what is on a database server. */
export const openRecords = async (engine: EngineName, directory: string): Promise<Records> =>
	engine === 'sqlite' ? inFile(join(directory, 'signalbox.db')) : onServer(await createLogicalDatabase());
