/**
 * `npm test`: runs AVA, shows every failure in full, keeps titles and outcomes, and holds the titles of the tests that
 * passed against the requirements. Arguments go to AVA; with any, only a part may run and the requirements are left out.
 * The last line is `N passed, N failed`. A skipped or unwritten test counts as failed, the requirements as one test.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {findCoverageProblems, parseLater, parseRequirements} from './requirements-gate.ts';
import {createTapReader, type TapTest} from './tap.ts';
import {formatTotals} from './totals.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFile = new URL('../node_modules/.cache/signalbox/test-results.json', import.meta.url);
const showBareErrors = new URL('show-bare-errors.ts', import.meta.url);
const ava = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url));
/** Each test file, and each program that a test starts, loads the same sources: they are compiled once. */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/signalbox/compiled', import.meta.url));
const progressEveryMs = 15_000;

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
const runAva = async (args: readonly string[]): Promise<readonly TapTest[]> => {
	const tests: TapTest[] = [];
	const add = (test: TapTest): void => {
		tests.push(test);
		if (!hasPassed(test)) showFailure(test);
	};
	const startedAt = performance.now();
	const progress = setInterval(() => showProgress(tests, startedAt), progressEveryMs);
	const child = spawn(process.execPath, [`--import=${showBareErrors}`, ava, '--tap', ...args], {
		cwd: root,
		env: {NODE_COMPILE_CACHE: compileCache, ...process.env},
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

const args = process.argv.slice(2);
const tests = [...(await runAva(args))];
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
