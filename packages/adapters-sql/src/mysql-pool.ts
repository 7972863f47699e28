import type {Connection as Client, ConnectionOptions} from 'mysql2';
import mysql2 from 'mysql2';
import {Sequelize} from 'sequelize';
import {type MysqlSession, mysqlSession} from './mysql-session.ts';
import {raw} from './sql.ts';
import {translateError} from './translate-error.ts';

/** Where a database is and as whom it is opened. */
type Address = Readonly<{host: string; port: number; database: string; user: string; password: string}>;

const tlsModes: Readonly<Record<string, ConnectionOptions['ssl']>> = {
	REQUIRED: {rejectUnauthorized: false},
	VERIFY_IDENTITY: {rejectUnauthorized: true, verifyIdentity: true},
};

const badUrl = (problem: string): Error =>
	new Error(`database URL: mysql://user:password@host:port/database expected: ${problem}`);

/** Reads and writes at once, unless the address says otherwise: more would wait for the server's disk instead of here. */
const defaultConnections = 10;

/** One that is misspelt would leave a connection open to be read. */
const parameters = new Set(['ssl-mode', 'connections']);

const decoded = (part: string): string => {
	try {
		return decodeURIComponent(part);
	} catch {
		throw badUrl('a % in user, password or database is written %25');
	}
};

/** What an address says; it may hold a password, and so no error repeats it. */
const parseUrl = (url: string): Readonly<{address: Address; ssl: ConnectionOptions['ssl']; most: number}> => {
	if (!URL.canParse(url)) throw badUrl('this is no URL');
	const {hostname, port, pathname, username, password, searchParams} = new URL(url);
	const [database, ...rest] = pathname.slice(1).split('/');
	if (hostname === '' || !database || rest.length > 0) throw badUrl('host and database are missing');
	const [unknown] = [...searchParams.keys()].filter((name) => !parameters.has(name));
	if (unknown !== undefined) throw badUrl(`of parameters there are ${[...parameters].join(' and ')}`);
	const mode = searchParams.get('ssl-mode');
	const ssl = mode === null ? undefined : tlsModes[mode];
	if (mode !== null && ssl === undefined) throw badUrl(`ssl-mode is one of ${Object.keys(tlsModes).join(', ')}`);
	const most = searchParams.get('connections') ?? String(defaultConnections);
	if (!/^[1-9]\d{0,3}$/.test(most)) throw badUrl('connections is a number from 1 to 9999');
	return {
		address: {
			host: hostname.replace(/^\[|\]$/g, ''),
			port: port === '' ? 3306 : Number(port),
			database: decoded(database),
			user: decoded(username),
			password: decoded(password),
		},
		ssl,
		most: Number(most),
	};
};

/** A whole second comes without its fraction, and would not compare with others as text. */
const typeCast: ConnectionOptions['typeCast'] = (field, next) => {
	const value = next();
	return field.type === 'DATETIME' && typeof value === 'string' && value.length === 19 ? `${value}.000` : value;
};

const clientOptions = (ssl: ConnectionOptions['ssl']): ConnectionOptions => ({
	// The number of rows that a change met, as SQLite counts, not of those that look different afterwards.
	flags: ['FOUND_ROWS'],
	// Instants are read as text, all other types as they are.
	dateStrings: true,
	typeCast,
	charset: 'UTF8MB4_BIN',
	// Only texts of this package go in without being prepared, with literals where they hold values: see mysql-script.ts.
	multipleStatements: true,
	// They are whole, and it would look for question marks in them.
	queryFormat: (text: string) => text,
	// The server keeps 16,382 for all its connections.
	maxPreparedStatements: 250,
	connectTimeout: 10_000,
	// A host that vanished without a word is noticed where nothing is under way: ten looks, a second apart.
	keepAliveInitialDelay: 10_000,
	...(ssl && {ssl}),
});

const settings = [
	// No decision leans on more, and the gaps between rows are not locked.
	'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
	// Strict whatever the server's default is: nothing is cut off silently.
	`SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
	'SET SESSION innodb_lock_wait_timeout = 10',
	// The rows that a process holds while its host is lost, or it stands still, are free again soon, and not when the server
	// gives the connection up, after hours. MariaDB ends a transaction of nobody by itself; MySQL knows the connection's time only.
	'SET SESSION wait_timeout = 90 /*M!100300 , idle_transaction_timeout = 20 */',
];

/** Connections to one database, opened when they are needed. */
export type MysqlPool = Readonly<{
	/** Lends a connection, which is thrown away when `work` leaves it in an unknown state: see `discard`. */
	lend<T>(work: (session: MysqlSession, discard: () => void) => Promise<T>): Promise<T>;
	/** Calls after it fail. */
	close(): Promise<void>;
}>;

/** Milliseconds that a connection is waited for while all are lent, or none can be opened. */
const patienceMs = 30_000;

/**
 * @param connections At most so many, and no more than the address says.
 * @param session_settings Statements that each connection begins with.
 */
export const openMysqlPool = (
	url: string,
	connections = Number.POSITIVE_INFINITY,
	session_settings: readonly string[] = [],
): MysqlPool => {
	const {address, ssl, most} = parseUrl(url);
	const sequelize = new Sequelize(address.database, address.user, address.password, {
		dialect: 'mysql',
		dialectModule: mysql2,
		dialectOptions: clientOptions(ssl),
		host: address.host,
		port: address.port,
		pool: {max: Math.min(connections, most), acquire: patienceMs, idle: 60_000},
		logging: false,
		hooks: {
			afterConnect: async (client) => {
				const {all} = mysqlSession(client as Client);
				for (const setting of [...settings, ...session_settings]) await all(raw(setting));
			},
		},
	});
	const {connectionManager} = sequelize;
	const sessions = new WeakMap<object, MysqlSession>();
	const sessionOf = (client: Client): MysqlSession => {
		const session = sessions.get(client) ?? mysqlSession(client);
		sessions.set(client, session);
		return session;
	};
	const take = async (): Promise<Client> => {
		try {
			return (await connectionManager.getConnection({type: 'write'})) as Client;
		} catch (error) {
			throw translateError(error);
		}
	};
	return {
		lend: async (work) => {
			const client = await take();
			try {
				return await work(sessionOf(client), () => client.destroy());
			} finally {
				connectionManager.releaseConnection(client);
			}
		},
		close: async () => sequelize.close(),
	};
};
