import {createHash} from 'node:crypto';
import {once} from 'node:events';
import type {AddressInfo, Server} from 'node:net';
import mysql from 'mysql2';

const sha1 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha1').update(Buffer.concat(parts)).digest();

/** What a client sends that knows the password (mysql_native_password). */
const tokenOf = (password: string, seed: Buffer): Buffer => {
	const once = sha1(Buffer.from(password));
	const mask = sha1(seed, sha1(once));
	return Buffer.from(once.map((byte, index) => byte ^ (mask[index] ?? 0)));
};

type Login = Readonly<{
	user: string;
	database: string;
	authPluginData1: Buffer;
	authPluginData2: Buffer;
	authToken: Buffer;
}>;

/** What the types of mysql2 leave out of a connection that came in. */
type Visitor = {
	/** Each command begins at 0 again. */
	sequenceId: number;
	serverHandshake(greeting: object): void;
	writeOk(): void;
	writeTextResult(rows: readonly object[], columns: readonly object[]): void;
	on(event: string, listener: () => void): void;
};

type Expected = Readonly<{user: string; password: string; database: string}>;

/** Neither TLS nor compression. */
const capabilityFlags = 0xff_ff_ff ^ 0x08_00 ^ 0x20;

const greet = (visitor: Visitor, expected: Expected): void => {
	const greeting = {protocolVersion: 10, serverVersion: '8.4.3', connectionId: 1, statusFlags: 2, characterSet: 8};
	const authCallback = (login: Login, answer: (error: null, refusal?: {message: string}) => void) => {
		const token = tokenOf(expected.password, Buffer.concat([login.authPluginData1, login.authPluginData2]));
		const isKnown = login.user === expected.user && login.database === expected.database;
		answer(null, isKnown && token.equals(login.authToken) ? undefined : {message: 'Access denied'});
		visitor.sequenceId = 0;
	};
	visitor.serverHandshake({...greeting, capabilityFlags, authCallback});
};

const version = {
	...{catalog: 'def', schema: '', table: '', orgTable: '', name: 'version', orgName: ''},
	...{characterSet: 45, columnLength: 60, columnType: 253, flags: 0, decimals: 0},
};

const answer = (visitor: Visitor): void => {
	const reply = (event: string, write: () => void) =>
		visitor.on(event, () => {
			write();
			visitor.sequenceId = 0;
		});
	// Also when the other side hangs up.
	visitor.on('error', () => undefined);
	// So the server of mysql2 calls SET.
	reply('stmt_prepare', () => visitor.writeOk());
	reply('query', () => visitor.writeTextResult([{version: '8.4.3'}], [version]));
};

/** A server that says it is MySQL, lets in who knows user, password and database, and answers what opening asks. */
export const startMysqlGreeter = async (expected: Expected) => {
	const server = mysql.createServer((visitor) => {
		greet(visitor as unknown as Visitor, expected);
		answer(visitor as unknown as Visitor);
	});
	server.listen(0);
	const {_server: listening} = server as unknown as {_server: Server};
	await once(listening, 'listening');
	return {
		port: (listening.address() as AddressInfo).port,
		close: async () => new Promise((resolve) => listening.close(resolve)),
	};
};
