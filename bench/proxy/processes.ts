import {type ChildProcess, type SpawnOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {connect, createServer} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as pause} from 'node:timers/promises';

export type Running = Readonly<{
	pid: number;
	child: ChildProcess;
	ended: Promise<unknown>;
	/** Resolves when the process has ended. Default: SIGKILL. */
	stop(signal?: NodeJS.Signals): Promise<void>;
}>;

const children = new Set<ChildProcess>();
const directories = new Set<string>();

// However this process ends, nothing that it started goes on, and nothing that it wrote stays.
process.on('exit', () => {
	for (const child of children) child.kill('SIGKILL');
	for (const directory of directories) rmSync(directory, {recursive: true, force: true});
});
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const])
	process.on(signal, () => process.exit(code));

/** A new directory under `parent`, removed when this process ends if not before. */
export const makeDirectory = (parent: string): string => {
	const directory = mkdtempSync(join(parent, 'run-'));
	directories.add(directory);
	return directory;
};

export const removeDirectory = (directory: string): void => {
	rmSync(directory, {recursive: true, force: true});
	directories.delete(directory);
};

/** A process that ends when it is stopped, and at the latest when this one ends. */
export const startProcess = (command: string, args: readonly string[], options: SpawnOptions = {}): Running => {
	const child = spawn(command, args, {stdio: ['ignore', 'ignore', 'inherit'], ...options});
	const ended = once(child, 'exit');
	children.add(child);
	void ended.then(
		() => children.delete(child),
		() => children.delete(child),
	);
	if (child.pid === undefined) throw new Error(`${command} did not start`);
	return {
		pid: child.pid,
		child,
		ended,
		stop: async (signal = 'SIGKILL') => {
			if (child.exitCode === null && child.signalCode === null) child.kill(signal);
			await ended;
		},
	};
};

/** Starts a process whose output has a line that `read` makes something of. What follows it is not kept. */
export const startTelling = async <T>(
	[command, args, options]: readonly [string, readonly string[], SpawnOptions?],
	read: (line: string) => T | undefined,
): Promise<Running & Readonly<{told: T}>> => {
	const running = startProcess(command, args, {...options, stdio: ['ignore', 'pipe', 'inherit']});
	const output = running.child.stdout;
	if (output === null) throw new Error('The output is a pipe.');
	for await (const line of createInterface({input: output})) {
		const told = read(line);
		if (told === undefined) continue;
		output.resume();
		return {...running, told};
	}
	throw new Error(`${command} ${args.join(' ')} ended before it was ready`);
};

export const freePort = async (): Promise<number> => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
};

const accepts = async (port: number): Promise<boolean> => {
	const socket = connect(port, '127.0.0.1');
	return await once(socket, 'connect')
		.then(
			() => true,
			() => false,
		)
		.finally(() => socket.destroy());
};

/** Waits until somebody listens at the port. @throws Error after 20 s, or when the process has ended. */
export const untilListening = async ({child}: Running, port: number): Promise<void> => {
	for (let tries = 0; tries < 400; tries += 1) {
		if (await accepts(port)) return;
		if (child.exitCode !== null) break;
		await pause(50);
	}
	throw new Error(`${child.spawnfile} does not listen at its port`);
};
