import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {listen} from './listen.ts';

export type EverythingServer = Readonly<{url: string; close(): Promise<void>}>;

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** The server prints the port it was given, not the one it got: so it must be given one that is free. */
const freePort = async (): Promise<number> => {
	const {port, close} = await listen(() => {});
	await close();
	return port;
};

/** The protocol's own demonstration server, over streamable HTTP, in a process of its own. */
export const startEverythingServer = async (): Promise<EverythingServer> => {
	const port = await freePort();
	const child = spawn(process.execPath, [program, 'streamableHttp'], {
		env: {...process.env, PORT: String(port)},
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const exited = once(child, 'exit');
	await new Promise<void>((resolve, reject) => {
		child.stderr.on('data', (line: Buffer) => {
			if (line.includes('listening on port')) resolve();
		});
		exited.then(() => reject(new Error('server-everything ended before it listened')), reject);
	});
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		close: async () => {
			child.kill('SIGKILL');
			await exited;
		},
	};
};
