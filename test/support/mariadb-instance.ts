import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import mysql from 'mysql2/promise';
import {freePort} from './free-port.ts';

const run = promisify(execFile);

const server = 'mariadbd';

/** Root may start the server only as somebody else. */
const user = process.getuid?.() === 0 ? ['--user=mysql'] : [];

/** Why no server can be started here; undefined when one can. */
export const whyNoMariadbInstance = async (): Promise<string | undefined> => {
	try {
		await run(server, ['--no-defaults', '--version']);
		return undefined;
	} catch {
		return `${server} is not installed`;
	}
};

/** A MariaDB of one's own, which may be killed: nobody else's data is in it. */
export type MariadbInstance = Readonly<{
	/** Its address, as a user who may do all. It stays the same. */
	server: string;
	/** The address of an empty database there. */
	url: string;
	/** Ends it as a loss of power would. Resolves once the process is gone. */
	kill(): Promise<void>;
	/** Starts it again on what is on the disk. Resolves once it answers. */
	restart(): Promise<void>;
	/** Kills it if it runs, and removes its directory. */
	remove(): Promise<void>;
}>;

type Place = Readonly<{directory: string; port: number; settings: readonly string[]}>;

const spawnOn = ({directory, port, settings}: Place) => {
	const place = [
		`--datadir=${directory}`,
		// A server that starts empties the place of its temporary tables, also of those of others that live.
		`--tmpdir=${directory}`,
		`--socket=${join(directory, 's.sock')}`,
		`--pid-file=${join(directory, 'm.pid')}`,
	];
	const listens = ['--bind-address=127.0.0.1', `--port=${port}`];
	const child = spawn(server, ['--no-defaults', ...user, ...place, ...listens, ...settings], {stdio: 'ignore'});
	return {child, exited: once(child, 'exit')};
};

type Running = ReturnType<typeof spawnOn>;

/** Statements are answered only once recovery is over. */
const answers = async ({child}: Running, port: number): Promise<void> => {
	for (;;) {
		try {
			const connection = await mysql.createConnection({host: '127.0.0.1', port, user: 'root'});
			await connection.query('CREATE DATABASE IF NOT EXISTS signalbox');
			return await connection.end();
		} catch (error) {
			if (child.exitCode !== null || child.signalCode !== null) throw error;
			await pause(50);
		}
	}
};

/**
 * Takes a second, and 120 MB of disk.
 * @param settings how `mariadbd` is started besides.
 */
export const startMariadbInstance = async (
	settings: readonly string[] = ['--innodb-buffer-pool-size=64M'],
): Promise<MariadbInstance> => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-mariadb-'));
	const authentication = '--auth-root-authentication-method=normal';
	// Without the test database come no anonymous users, who would shadow others.
	await run('mariadb-install-db', [
		'--no-defaults',
		'--skip-test-db',
		...user,
		`--datadir=${directory}`,
		authentication,
	]);
	const port = await freePort();
	let running: Running | undefined;
	const kill = async (): Promise<void> => {
		running?.child.kill('SIGKILL');
		await running?.exited;
		running = undefined;
	};
	const restart = async (): Promise<void> => {
		running = spawnOn({directory, port, settings});
		await answers(running, port);
	};
	// Where this process ends before it is removed.
	const removeNow = (): void => {
		running?.child.kill('SIGKILL');
		rmSync(directory, {recursive: true, force: true});
	};
	process.on('exit', removeNow);
	await restart();
	const address = `mysql://root@127.0.0.1:${port}`;
	return {
		server: address,
		url: `${address}/signalbox`,
		kill,
		restart,
		remove: async () => {
			process.off('exit', removeNow);
			await kill();
			await rm(directory, {recursive: true, force: true});
		},
	};
};
