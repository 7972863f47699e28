import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {bareEnvironment} from '../../support/bare-environment.ts';

const program = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

export type AgentHome = Readonly<{grpcUrl: string; apiKey: string; stateFolder: string; capacity: number}>;

/** One life of `signalbox agent run`. */
export type MortalAgent = Readonly<{
	/** Resolves once the agent has logged a line with that text, after those before; false when it ended first. */
	says(text: string): Promise<boolean>;
	/** Ends the process, or all of its process group. @returns the exit code, null when a signal ended it. */
	end(signal: 'SIGTERM' | 'SIGKILL', whom?: 'process' | 'group'): Promise<number | null>;
}>;

const spawnAgent = ({grpcUrl, apiKey, stateFolder, capacity}: AgentHome): ChildProcess =>
	spawn(
		process.execPath,
		[
			...['--conditions=@signalbox/source', program, 'agent', 'run', '--allow-root', '--name', 'mortal'],
			...['--capacity', String(capacity), '--state-folder', stateFolder],
		],
		{
			// A group of its own, as service managers give it: to be killed whole.
			detached: true,
			env: {...bareEnvironment(), HOME: stateFolder, SIGNALBOX_API_KEY: apiKey, SIGNALBOX_GRPC_URL: grpcUrl},
			stdio: ['ignore', 'ignore', 'pipe'],
		},
	);

/** What was logged and not yet asked for. */
const readLog = (child: ChildProcess) => {
	const lines: string[] = [];
	let [isOver, more] = [false, Promise.withResolvers<void>()];
	const tell = (): void => {
		more.resolve();
		more = Promise.withResolvers();
	};
	createInterface({input: child.stderr as NonNullable<ChildProcess['stderr']>})
		.on('line', (line) => {
			lines.push(line);
			tell();
		})
		.on('close', () => {
			isOver = true;
			tell();
		});
	return async (text: string): Promise<boolean> => {
		for (;;) {
			const line = lines.shift();
			if (line?.includes(text)) return true;
			if (line === undefined && isOver) return false;
			if (line === undefined) await more.promise;
		}
	};
};

export const startAgent = (home: AgentHome): MortalAgent => {
	const child = spawnAgent(home);
	const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
	return {
		says: readLog(child),
		end: async (signal, whom = 'process') => {
			const {pid = 0, exitCode, signalCode} = child;
			if (exitCode === null && signalCode === null) process.kill(whom === 'group' ? -pid : pid, signal);
			const [code] = await exited;
			return code;
		},
	};
};
