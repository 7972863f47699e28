import {execFile} from 'node:child_process';
import {mkdtemp, readdir, readFile, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Check, Run} from './compare.ts';

const run = promisify(execFile);
const home = import.meta.dirname;

export type Suite = Readonly<{name: string; program: string; options: readonly string[]}>;

const programOf = (name: string): string => join(home, 'node_modules', name, 'dist/index.js');

const [current, next] = [programOf('@modelcontextprotocol/conformance'), programOf('conformance-next')];

export const suites: readonly Suite[] = [
	{name: '0.1.16', program: current, options: ['--suite', 'all']},
	...['2025-11-25', '2026-07-28'].map((revision) => ({
		name: `0.2.0-alpha.12 ${revision}`,
		program: next,
		options: ['--requirements', revision],
	})),
];

const changedAt = async (path: string): Promise<number> =>
	await stat(path).then(
		({mtimeMs}) => mtimeMs,
		() => 0,
	);

/** Installs the suites if they are missing or older than their lock file. */
export const installSuites = async (): Promise<void> => {
	const installed = await changedAt(join(home, 'node_modules/.package-lock.json'));
	if (installed >= (await changedAt(join(home, 'package-lock.json')))) return;
	console.log('installing the conformance suites');
	await run('npm', ['ci', '--ignore-scripts'], {cwd: home, shell: process.platform === 'win32'});
};

/** The suites write a folder for each scenario: `server-<scenario>-<time>`. */
const scenarioOf = (folder: string): string => {
	const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder)?.[1];
	if (scenario === undefined) throw new Error(`The suite wrote a folder of an unknown kind: ${folder}`);
	return scenario;
};

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === 'ENOENT';

/** A scenario that broke off by an exception leaves its folder empty. */
const brokeOff: readonly Check[] = [{id: 'scenario', status: 'BROKE_OFF'}];

const readChecks = async (folder: string): Promise<readonly Check[]> =>
	await readFile(join(folder, 'checks.json'), 'utf8').then(JSON.parse, (error: Error) => {
		if (isMissing(error)) return brokeOff;
		throw error;
	});

const readRun = async (directory: string): Promise<Run> => {
	const folders = (await readdir(directory)).sort();
	const read = async (folder: string): Promise<[string, readonly Check[]]> => [
		scenarioOf(folder),
		await readChecks(join(directory, folder)),
	];
	return new Map(await Promise.all(folders.map(read)));
};

/**
 * Runs a suite against a server.
 * @throws Error when it ran no scenario. That some failed is no error: it is what the run says.
 */
export const runSuite = async ({name, program, options}: Suite, url: string): Promise<Run> => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-conformance-'));
	try {
		const args = [program, 'server', '--url', url, ...options, '--output-dir', directory];
		const failure = await run(process.execPath, args, {maxBuffer: 2 ** 28}).then(
			() => undefined,
			(error: Error & {code?: unknown; stderr?: string}) => error,
		);
		// The suite ends with 1 when a scenario fails; anything else means that it did not come to its end.
		if (failure !== undefined && failure.code !== 1) throw failure;
		const result = await readRun(directory);
		if (result.size === 0) throw new Error(`${name} ran no scenario against ${url}: ${failure?.stderr ?? ''}`);
		return result;
	} finally {
		await rm(directory, {recursive: true, force: true});
	}
};
