import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {bareEnvironment} from '../../support/bare-environment.ts';
import {makeDataDirectory, removeDataDirectory} from '../../support/data-directory.ts';
import {engineVariables} from '../../support/engine.ts';

const program = fileURLToPath(new URL('./hasty-server.ts', import.meta.url));

/** A stop is delivered at once, and noticed soon. */
const stopMs = 20;

/** Servers on one database whose clocks run fast, and alike. */
export type HastyServers = Readonly<{
	/** Their data directory, by which tests read the database. */
	directory: string;
	/** Of each. */
	origins: readonly string[];
	/** Their time, in milliseconds. */
	now(): number;
	/** Stops some of them (SIGSTOP). Resolves once they stand still. @returns the function that lets them go on. */
	halt(servers: readonly number[]): Promise<() => void>;
	/** Ends all that go on. */
	end(): Promise<void>;
	/** Ends all, and removes their folder. */
	close(): Promise<void>;
}>;

const firstLine = async ({stdout}: ChildProcess): Promise<string> => {
	if (stdout) for await (const line of createInterface({input: stdout})) return line;
	throw new Error('a server ended before it was ready');
};

const startOne = async (...args: readonly string[]) => {
	const child = spawn(process.execPath, ['--conditions=@signalbox/source', program, ...args], {
		env: {...bareEnvironment(), ...engineVariables()},
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const exited = once(child, 'exit');
	const {base_url}: Readonly<{base_url: string}> = JSON.parse(await firstLine(child));
	return {child, exited, origin: base_url};
};

/** @param skews How far the clock of each server is ahead of the database's. Milliseconds. */
export const startHastyServers = async (times: number, skews: readonly number[]): Promise<HastyServers> => {
	const directory = await makeDataDirectory('hasty');
	const since = Date.now();
	const servers: Awaited<ReturnType<typeof startOne>>[] = [];
	const end = async () => {
		for (const {child} of servers) child.stdin?.end();
		await Promise.all(servers.map(({exited}) => exited));
	};
	for (const skew of skews) servers.push(await startOne(directory, ...[times, since, skew].map(String)));
	return {
		directory,
		origins: servers.map(({origin}) => origin),
		now: () => since + (Date.now() - since) * times,
		halt: async (chosen) => {
			const signal = (name: NodeJS.Signals) => {
				for (const index of chosen) servers[index]?.child.kill(name);
			};
			signal('SIGSTOP');
			await pause(stopMs);
			return () => signal('SIGCONT');
		},
		end,
		close: async () => {
			for (const {child} of servers) child.kill('SIGKILL');
			await Promise.all(servers.map(({exited}) => exited));
			await removeDataDirectory(directory);
		},
	};
};
