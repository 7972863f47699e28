/**
 * `npm run check:sdk`: packs the built SDK and lets a program use it in an empty folder, compiled there strictly and run
 * against a real server; and measures what a browser loads of it.
 */
import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {gzipSync} from 'node:zlib';
import {build} from 'tsup';
import {startJsonRpcUpstream} from '../test/support/json-rpc-upstream.ts';
import {startTestServer} from '../test/support/server.ts';

const mostBytes = 10 * 1024;

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

const typescript = [
	...['--strict', '--noUncheckedIndexedAccess', '--module', 'nodenext', '--target', 'es2022'],
	...['--lib', 'es2022,dom,dom.iterable'],
];

const measure = async (folder: string): Promise<number> => {
	await build({
		...{entry: [join(root, 'packages/client-sdk/dist/index.js')], outDir: folder, format: 'esm'},
		...{minify: true, platform: 'browser', config: false, silent: true, clean: false},
	});
	return gzipSync(await readFile(join(folder, 'index.js')), {level: 9}).length;
};

const install = async (folder: string): Promise<void> => {
	const args = ['pack', '--json', '--pack-destination', folder, '-w', '@signalbox/client-sdk'];
	const {stdout} = await run('npm', args, {cwd: root});
	const [packed] = Object.values(JSON.parse(stdout) as Record<string, {filename: string}>);
	await writeFile(join(folder, 'package.json'), '{"name": "empty", "private": true, "type": "module"}');
	await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed?.filename}`], {cwd: folder});
};

const compile = async (folder: string): Promise<void> => {
	const text = await readFile(join(root, 'test/packed-sdk/use.ts'), 'utf8');
	if (/\bas\b(?! const)|\bany\b|@ts-|\w!/.test(text.replace(/\/\*.*?\*\/|'[^']*'/gs, ''))) throw new Error('It casts');
	await writeFile(join(folder, 'use.ts'), text);
	await run(join(root, 'node_modules/.bin/tsc'), [...typescript, 'use.ts'], {cwd: folder}).catch((error) => {
		throw new Error(error.stdout);
	});
};

/** A server with an upstream, and an address that makes access tokens expire. */
const startWorld = async () => {
	const [upstream, server] = await Promise.all([startJsonRpcUpstream(), startTestServer()]);
	const control = createServer((_request, response) => {
		server.advance(16 * 60_000);
		response.end();
	}).listen(0, '127.0.0.1');
	await once(control, 'listening');
	const EXPIRE_URL = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
	return {
		env: {API_URL: server.baseUrl, PROXY_URL: server.proxyUrl, UPSTREAM_URL: upstream.url, EXPIRE_URL},
		close: async () => {
			control.close();
			control.closeAllConnections();
			await Promise.all([server.close(), upstream.close()]);
		},
	};
};

const use = async (folder: string): Promise<void> => {
	const world = await startWorld();
	try {
		const env = {PATH: process.env.PATH, ...world.env};
		const {stdout} = await run(process.execPath, ['use.js'], {cwd: folder, env, timeout: 120_000});
		process.stdout.write(stdout);
	} finally {
		await world.close();
	}
};

const folder = await mkdtemp(join(tmpdir(), 'signalbox-sdk-'));
try {
	const bytes = await measure(join(folder, 'browser'));
	console.log(`${bytes} bytes, minified and compressed, of at most ${mostBytes}`);
	if (bytes > mostBytes) process.exitCode = 1;
	await install(folder);
	await compile(folder);
	await use(folder);
} finally {
	await rm(folder, {recursive: true, force: true});
}
