import {execFileSync} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {versionOf} from '../install-peers.ts';
import type {Contestant} from './contestant.ts';
import {nginx, startNginx} from './nginx.ts';
import {freePort, makeDirectory, removeDirectory, startProcess, startTelling, untilListening} from './processes.ts';
import {startProgram, type Upstream} from './upstream.ts';

/** Where the other proxies are installed. */
export const home = fileURLToPath(new URL('.', import.meta.url));
const takeTheirWord = async () => {};

export const direct = async ({url, title}: Upstream): Promise<Contestant> => ({
	name: 'direct',
	url,
	pid: undefined,
	version: title,
	audit: takeTheirWord,
	stop: async () => {},
});

export const startHttpProxy = async (upstream: Upstream): Promise<Contestant> => {
	// It calls what Node deprecates; that is its own affair.
	const args = ['--no-deprecation', join(home, 'peers/http-proxy.js'), new URL(upstream.url).origin];
	const {told, pid, stop} = await startTelling([process.execPath, args], (line) => line);
	const version = versionOf(home, 'http-proxy');
	return {name: 'http-proxy', url: `${told}/mcp`, pid, version, audit: takeTheirWord, stop};
};

/** What bounds every proxy on Node. @param directory where it keeps its log; undefined: it has none. */
export const startLeast = async (
	name: 'least' | 'least with a log',
	upstream: Upstream,
	directory?: string,
): Promise<Contestant> => {
	const args = [join(home, 'peers/least.js'), new URL(upstream.url).origin, ...(directory ? [directory] : [])];
	const {told, pid, stop} = await startTelling([process.execPath, args], (line) => line);
	return {
		...{name, url: `${told}/mcp`, pid, version: 'node:http and undici', audit: takeTheirWord},
		stop: async () => {
			await stop();
			if (directory) removeDirectory(directory);
		},
	};
};

export const startNginxProxy = async ({url}: Upstream): Promise<Contestant> => {
	const proxy = await startNginx({
		upstream: `upstream target { server ${new URL(url).host}; keepalive 64; keepalive_requests 1000000000; }`,
		// An answer must fit into the buffers: nothing is to be written to files.
		location:
			'proxy_pass http://target; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffers 8 16k; proxy_max_temp_file_size 0;',
	});
	const version = execFileSync('sh', ['-c', `${nginx} -v 2>&1`], {encoding: 'utf8'});
	return {name: 'nginx', ...proxy, version: version.trim().replace(/.*\//, ''), audit: takeTheirWord};
};

type McpProxyParts = Readonly<{
	name: 'mcp-proxy' | 'mcp-proxy stdio';
	/** Arguments of Node that make it listen at the port; what is printed goes into the file. */
	program(port: number, file: string): readonly string[];
	/** Where the lines of its tap go. */
	parent: string;
}>;

const startMcpProxyProgram = async ({name, program, parent}: McpProxyParts): Promise<Contestant> => {
	const port = await freePort();
	const directory = makeDirectory(parent);
	const file = join(directory, 'lines.log');
	const lines = openSync(file, 'a');
	const running = startProcess(process.execPath, program(port, file), {stdio: ['ignore', lines, 'inherit']});
	closeSync(lines);
	await untilListening(running, port);
	return {
		name,
		url: `http://127.0.0.1:${port}/mcp`,
		pid: running.pid,
		version: versionOf(home, 'mcp-proxy'),
		audit: takeTheirWord,
		stop: async () => {
			await running.stop();
			removeDirectory(directory);
		},
	};
};

/** Its client numbers requests itself, so that behind it stands an upstream that answers under the number it was asked with. */
export const startMcpProxy = async ({answerBytes}: Upstream, parent: string): Promise<Contestant> => {
	const upstream = await startProgram('mcp-upstream', answerBytes);
	const proxy = await startMcpProxyProgram({
		name: 'mcp-proxy',
		program: (port, file) => [join(home, 'peers/mcp-proxy.js'), upstream.url, String(port), file],
		parent,
	});
	return {
		...proxy,
		stop: async () => {
			await proxy.stop();
			await upstream.stop();
		},
	};
};

/** As it is shipped: its command line before a program that answers over stdio. `--debug` is its tap. */
export const startMcpProxyOverStdio = async ({answerBytes}: Upstream, parent: string): Promise<Contestant> => {
	const program = join(home, 'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');
	const served = [process.execPath, join(home, 'peers/stdio-upstream.ts'), String(answerBytes)];
	const options = (port: number) => ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
	return startMcpProxyProgram({
		name: 'mcp-proxy stdio',
		program: (port) => [program, ...options(port), '--stateless', '--debug', '--', ...served],
		parent,
	});
};
