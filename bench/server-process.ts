import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

/** The reference server in a process of its own, so that the client's work does not count as the server's. */
export const startServerProcess = async () => {
	const program = fileURLToPath(new URL('./serve.ts', import.meta.url));
	const child = spawn(process.execPath, ['--conditions=@signalbox/source', program], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(createInterface({input: child.stdout}), 'line');
	return {
		baseUrl: JSON.parse(line).base_url as string,
		stop: async () => {
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
};

/** The value below which that share of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
