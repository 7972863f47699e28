/**
 * `npm test`: runs AVA, on SQLite and once more on MariaDB with what an engine could break; shows every failure in full,
 * keeps titles and outcomes, and holds the titles of the tests that passed against the requirements. Arguments go to AVA, on
 * the first of the engines; with any, only a part may run and the requirements are left out.
 * The last line is `N passed, N failed`. A skipped or unwritten test counts as failed, the requirements as one test.
 */
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {dropDatabases} from '../test/support/database-pool.ts';
import type {Engine} from '../test/support/engine.ts';
import {mariadbIsMissing} from '../test/support/mariadb.ts';
import {findCoverageProblems, parseLater, parseRequirements} from './requirements-gate.ts';
import {createTapReader, type TapTest} from './tap.ts';
import {formatTotals} from './totals.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFile = new URL('../node_modules/.cache/signalbox/test-results.json', import.meta.url);
const showBareErrors = new URL('show-bare-errors.ts', import.meta.url);
const ava = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url));
const buildIfNeeded = fileURLToPath(new URL('build-if-needed.ts', import.meta.url));
/** Each test file, and each program that a test starts, loads the same sources: they are compiled once. */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/signalbox/compiled', import.meta.url));
const progressEveryMs = 15_000;
/** On MariaDB: the contracts of the stores, and whatever goes over the API of a server. */
const filesOn: Readonly<Record<Engine, readonly string[]>> = {
	sqlite: ['**/*.test.ts', '!**/*-mariadb.test.ts'],
	mariadb: [
		'test/walks/*.test.ts',
		'test/openapi/*.test.ts',
		'**/*-mariadb.test.ts',
		// A proxy alone, over stores in memory.
		'!test/walks/proxy-{bypass,faults,held-call-changes,session-replay,smuggling,ssrf,state-tricks,upstream-deaths}.test.ts',
	],
};
/** Most of what runs waits: for the engine, for due work, for a browser. Files that run at once are more than cores. */
const filesAtOnce = '--concurrency=3';
const prefixes: Readonly<Record<Engine, string>> = {sqlite: '', mariadb: 'MariaDB: '};

const hasPassed = (test: TapTest): boolean => test.outcome === 'passed';

const showFailure = ({title, outcome, detail}: TapTest): void => {
	console.log([`✘ ${title}${outcome === 'failed' ? '' : ` (${outcome})`}`, ...detail].join('\n'));
};

const showProgress = (tests: readonly TapTest[], startedAt: number): void => {
	const passed = tests.filter(hasPassed).length;
	const seconds = Math.round((performance.now() - startedAt) / 1000);
	console.log(`… ${formatTotals({passed, failed: tests.length - passed})} after ${seconds} s`);
};

/** Runs AVA to its end and answers what it reported, with a failure of its own when it ended badly without saying why. */
const runAva = async (engine: Engine, args: readonly string[], sharedFolder: string): Promise<TapTest[]> => {
	const tests: TapTest[] = [];
	const add = (reported: TapTest): void => {
		const test = {...reported, title: `${prefixes[engine]}${reported.title}`};
		tests.push(test);
		if (!hasPassed(test)) showFailure(test);
	};
	const startedAt = performance.now();
	const progress = setInterval(() => showProgress(tests, startedAt), progressEveryMs);
	const child = spawn(process.execPath, [`--import=${showBareErrors}`, ava, '--tap', ...args], {
		cwd: root,
		env: {NODE_COMPILE_CACHE: compileCache, ...process.env, TEST_ENGINE: engine, TEST_SHARED_FOLDER: sharedFolder},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
	const stop = (): void => void child.kill('SIGTERM');
	process.once('SIGTERM', stop);
	const reader = createTapReader(add);
	for await (const line of createInterface({input: child.stdout})) reader.line(line);
	reader.end();
	const [code, signal] = await exit;
	clearInterval(progress);
	process.off('SIGTERM', stop);
	if (tests.length === 0 || (code !== 0 && tests.every(hasPassed)))
		add({title: `AVA ended with ${signal ?? code} after ${tests.length} tests`, outcome: 'failed', detail: []});
	return tests;
};

const keepResults = async (tests: readonly TapTest[]): Promise<void> => {
	await mkdir(new URL('.', resultsFile), {recursive: true});
	await writeFile(
		resultsFile,
		JSON.stringify(
			tests.map(({title, outcome}) => ({title, outcome})),
			undefined,
			'\t',
		),
	);
};

const readTable = async (name: string): Promise<string> =>
	readFile(new URL(`../test/requirements/${name}.tsv`, import.meta.url), 'utf8');

const checkRequirements = async (tests: readonly TapTest[]): Promise<TapTest> => {
	const problems = findCoverageProblems({
		requirements: parseRequirements(await readTable('requirements')),
		later: parseLater(await readTable('later')),
		titles: tests.filter(hasPassed).map(({title}) => title),
	});
	return {
		title: 'every requirement is cited by a test that passed, or waits in later.tsv',
		outcome: problems.length === 0 ? 'passed' : 'failed',
		detail: problems.map((problem) => `  ${problem}`),
	};
};

/** DATABASES says which, the first one first; by default SQLite, and MariaDB where one answers. */
const enginesToTest = async (): Promise<readonly Engine[]> => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) console.log(`Nothing runs on MariaDB: ${missing}.`);
	const names = process.env.DATABASES?.split(',') ?? ['sqlite', 'mariadb'];
	return names.filter((name): name is Engine => name in filesOn && (name !== 'mariadb' || missing === undefined));
};

const runAll = async (
	[first = 'sqlite', ...others]: readonly Engine[],
	args: readonly string[],
	sharedFolder: string,
): Promise<TapTest[]> => {
	if (args.length > 0) return runAva(first, args, sharedFolder);
	const tests: TapTest[] = [];
	for (const engine of [first, ...others])
		tests.push(...(await runAva(engine, [filesAtOnce, ...filesOn[engine]], sharedFolder)));
	return tests;
};

const runOn = async (engines: readonly Engine[], args: readonly string[]): Promise<TapTest[]> => {
	const sharedFolder = await mkdtemp(join(tmpdir(), 'signalbox-tests-'));
	try {
		return await runAll(engines, args, sharedFolder);
	} finally {
		if (engines.includes('mariadb')) await dropDatabases(sharedFolder);
		await rm(sharedFolder, {recursive: true, force: true});
	}
};

const noMariadb = (error: Error): TapTest[] => {
	const test: TapTest = {
		title: 'MariaDB answers, as DATABASES says',
		outcome: 'failed',
		detail: [`  ${error.message}`],
	};
	showFailure(test);
	return [test];
};

// Browsers load the dashboard as it is built; everything else runs from its sources.
execFileSync(process.execPath, [buildIfNeeded, 'dashboard'], {stdio: 'inherit'});
const args = process.argv.slice(2);
const tests = await enginesToTest().then(async (engines) => runOn(engines, args), noMariadb);
await keepResults(tests);
if (args.length > 0) {
	console.log('Requirements are not checked: arguments may have selected a part of the tests.');
} else {
	const requirements = await checkRequirements(tests);
	if (!hasPassed(requirements)) showFailure(requirements);
	tests.push(requirements);
}
const passed = tests.filter(hasPassed).length;
console.log(formatTotals({passed, failed: tests.length - passed}));
process.exitCode = passed === tests.length ? 0 : 1;
