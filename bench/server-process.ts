import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const startProcess = async (name: string, args: readonly string[] = []) => {
	const program = fileURLToPath(new URL(name, import.meta.url));
	const child = spawn(process.execPath, ['--conditions=@signalbox/source', program, ...args], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(createInterface({input: child.stdout}), 'line');
	const stop = async () => {
		child.kill('SIGTERM');
		await once(child, 'exit');
	};
	return {told: JSON.parse(line), stop};
};

/** The reference server in a process of its own, so that the client's work does not count as the server's. */
export const startServerProcess = async () => {
	const {told, stop} = await startProcess('./serve.ts');
	return {baseUrl: told.base_url as string, stop};
};

/** A process that passes bytes on to a port of loopback, and does nothing else. */
export const startRelayProcess = async (port: number) => {
	const {told, stop} = await startProcess('./tcp-relay.ts', [String(port)]);
	return {port: told.port as number, stop};
};

/** The value below which that share of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
