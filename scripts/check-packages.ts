/**
 * `npm run check:packages`: packs every package that is published, installs the tarballs together into an empty project, and
 * uses them there as others will: each door by `import` and by `require`, the bins, and a server that starts, answers and stops.
 * On the oldest Node that is promised and on this one; with `--this-node` only on this one, which takes less than half the time.
 */
import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {globSync, readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

type Manifest = Readonly<{
	name: string;
	private?: boolean;
	exports: Readonly<Record<string, unknown>>;
	bin?: Readonly<Record<string, string>>;
}>;

/** A Node to run on, and the packages that promise to run there. */
type Runtime = Readonly<{title: string; node: string; packages: readonly Manifest[]}>;

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const limits = {timeout: 300_000, maxBuffer: 2 ** 26};

const manifests: readonly Manifest[] = globSync('packages/*/package.json', {cwd: root})
	.map((path): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8')))
	.filter((manifest) => !manifest.private);

/** The oldest versions that `engines` of the packages name. */
const oldest = [
	{version: '22.20.0', packages: manifests},
	{version: '20.3.0', packages: manifests.filter(({name}) => name === '@signalbox/client-sdk')},
];

const platform = process.platform === 'win32' ? 'win' : process.platform;

const pack = async (project: string): Promise<readonly string[]> => {
	const workspaces = manifests.flatMap(({name}) => ['-w', name]);
	const args = ['pack', '--json', '--pack-destination', project, ...workspaces];
	const {stdout} = await run('npm', args, {...limits, cwd: root});
	return Object.values(JSON.parse(stdout) as Record<string, {filename: string}>).map(({filename}) => `./${filename}`);
};

/** Without scripts: the optional sqlite3 would be compiled for a minute, and only a Node without `node:sqlite` uses it. */
const install = async (project: string, packages: readonly string[]): Promise<void> => {
	await writeFile(join(project, 'package.json'), '{"name": "empty", "private": true}');
	await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {...limits, cwd: project});
};

const doorsOf = ({name, exports}: Manifest): readonly string[] =>
	Object.keys(exports)
		.filter((door) => !door.endsWith('.json'))
		.map((door) => name + door.slice(1));

/** Loads every door; one that opens nothing is an error. */
const loaders = {
	'load.mjs':
		'for (const door of process.argv.slice(2)) if (!Object.keys(await import(door)).length) throw new Error(door);',
	'load.cjs':
		'for (const door of process.argv.slice(2)) if (!Object.keys(require(door)).length) throw new Error(door);',
};

const environmentOf = (node: string, project: string): NodeJS.ProcessEnv => ({
	PATH: [dirname(node), process.env.PATH].join(delimiter),
	...{HOST: '127.0.0.1', PORT: '0', GRPC_PORT: '0', DATA_DIR: join(project, 'data'), LOG_LEVEL: 'error'},
});

type Ready = Readonly<{base_url: string}>;

const readyLine = async (server: ChildProcess): Promise<Ready> => {
	if (server.stdout === null) throw new Error('its output is not read');
	for await (const line of createInterface({input: server.stdout}))
		if (line.startsWith('{"ready":true')) return JSON.parse(line);
	throw new Error('the server ended before it was ready');
};

const answer = async (url: string): Promise<void> => {
	const {status} = await fetch(url);
	if (status !== 200) throw new Error(`${url} answered ${status}`);
};

const serve = async (project: string, env: NodeJS.ProcessEnv): Promise<void> => {
	const program = join(project, 'node_modules/.bin/signalbox-server');
	const server = spawn(program, ['start'], {cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000});
	const exited = once(server, 'exit');
	const {base_url} = await readyLine(server);
	for (const path of ['/healthz', '/readyz', '/docs', '/approvals']) await answer(`${base_url}${path}`);
	server.kill('SIGTERM');
	const [code] = await exited;
	if (code !== 0) throw new Error(`the server ended with ${code}`);
	await rm(join(project, 'data'), {recursive: true});
};

const tryOn = async (project: string, {title, node, packages}: Runtime): Promise<void> => {
	const env = environmentOf(node, project);
	const doors = packages.flatMap(doorsOf);
	for (const loader of Object.keys(loaders)) await run(node, [loader, ...doors], {...limits, cwd: project, env});
	const bins = packages.flatMap(({bin}) => Object.keys(bin ?? {}));
	for (const bin of bins)
		await run(join(project, 'node_modules/.bin', bin), ['--help'], {...limits, cwd: project, env});
	if (bins.includes('signalbox-server')) await serve(project, env);
	console.log(`${title}: ${doors.length} doors by import and require, ${bins.join(' and ') || 'no bins'}`);
};

const runtimesOf = (project: string, thisOnly: boolean): readonly Runtime[] => [
	{title: process.version, node: process.execPath, packages: manifests},
	...(thisOnly ? [] : oldest).map(({version, packages}) => ({
		...{title: `v${version}`, packages},
		node: join(project, `node_modules/node-${version}/bin/node`),
	})),
];

const thisOnly = process.argv.includes('--this-node');
const project = await mkdtemp(join(tmpdir(), 'signalbox-packages-'));
try {
	const binaries = oldest.map(({version}) => `node-${version}@npm:node-${platform}-${process.arch}@${version}`);
	await install(project, [...(await pack(project)), ...(thisOnly ? [] : binaries)]);
	for (const [file, text] of Object.entries(loaders)) await writeFile(join(project, file), text);
	for (const runtime of runtimesOf(project, thisOnly)) await tryOn(project, runtime);
} finally {
	await rm(project, {recursive: true, force: true});
}
