import {randomBytes} from 'node:crypto';
import mysql, {type Connection} from 'mysql2/promise';

/** Where tests look for MariaDB, as a user who may create databases. */
export const mariadbServer = (): string => process.env.MARIADB_URL ?? 'mysql://root@127.0.0.1:3306';

/** From now on tests of this process, and the servers that they start, find it there. */
export const lookForMariadbAt = (address: string): void => {
	process.env.MARIADB_URL = address;
};

const asked = process.env.DATABASES?.split(',');

const withServer = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
	const connection = await mysql.createConnection({uri: mariadbServer(), dateStrings: true, multipleStatements: true});
	try {
		return await work(connection);
	} finally {
		await connection.end();
	}
};

/**
 * Why no test runs on MariaDB, or undefined when they do: DATABASES (`sqlite,mariadb`) says so, or it does not say and one
 * answers. Where it is asked for it must be there.
 */
export const mariadbIsMissing = async (): Promise<string | undefined> => {
	if (asked && !asked.includes('mariadb')) return 'DATABASES leaves it out';
	try {
		await withServer(async (connection) => connection.ping());
		return undefined;
	} catch (error) {
		if (asked) throw error;
		return `no MariaDB answers at ${mariadbServer()}`;
	}
};

export type LogicalDatabase = Readonly<{
	name: string;
	url: string;
	/** @param values stand for the question marks of the statement. */
	query(statement: string, values?: readonly (string | Buffer)[]): Promise<unknown>;
	create(): Promise<void>;
	/** Deletes every row, and leaves what says how far it is migrated: much faster than to make it anew. */
	empty(): Promise<void>;
	drop(): Promise<void>;
}>;

/** Of the database that is in use there; what says how far it is migrated stays. */
export const emptyTables = async (connection: Pick<Connection, 'query'>): Promise<void> => {
	const [rows] = await connection.query(
		`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'schema_migrations'`,
	);
	const deletions = (rows as {name: string}[]).map(({name}) => `DELETE FROM ${name}`);
	await connection.query(['SET foreign_key_checks = 0', ...deletions, 'SET foreign_key_checks = 1'].join('; '));
};

/** A database on the server, whether it is there yet or not. */
export const logicalDatabase = (name: string): LogicalDatabase => ({
	name,
	url: `${mariadbServer()}/${name}`,
	query: async (statement, values = []) =>
		withServer(async (connection) => {
			await connection.query(`USE ${name}`);
			const [rows] = await connection.query(statement, [...values]);
			return rows;
		}),
	create: async () => {
		await withServer(async (connection) => connection.query(`CREATE DATABASE IF NOT EXISTS ${name}`));
	},
	empty: async () => {
		await withServer(async (connection) => {
			await connection.query(`USE ${name}`);
			await emptyTables(connection);
		});
	},
	drop: async () => {
		await withServer(async (connection) => connection.query(`DROP DATABASE IF EXISTS ${name}`));
	},
});

/** A fresh and empty database on the server. */
export const createLogicalDatabase = async (): Promise<LogicalDatabase> => {
	const database = logicalDatabase(`signalbox_test_${randomBytes(6).toString('hex')}`);
	await database.create();
	return database;
};
