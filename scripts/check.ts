/**
 * `npm run check`: everything a change must pass. All steps run, also after a failure. The last line is
 * `N passed, N failed`: the tests, and every other step that failed as one more failure.
 */
import {type Command, runCommand} from './run-command.ts';
import {formatTotals, readTotals} from './totals.ts';

type Step = Command & Readonly<{name: string}>;

const esmOnly = ['core', 'rpc', 'adapters-redis', 'adapters-sql', 'hapi-server', 'cli'];

const packageSteps = (name: string): readonly Step[] => [
	{name: `publint ${name}`, line: `publint --strict packages/${name}`},
	{
		name: `types of ${name} as published`,
		line: `attw --pack packages/${name} --profile ${esmOnly.includes(name) ? 'esm-only' : 'node16'}`,
	},
];

/** They take 10 to 15 minutes, and more than 25 on a machine that others hold up: only what hangs is to be ended. */
const testStep: Step = {name: 'tests', line: 'npm run --silent test', streams: true, minutes: 40};

const steps: readonly Step[] = [
	{name: 'format and lint', line: 'biome ci --error-on-warnings .'},
	{name: 'types', line: 'tsc -p .'},
	{name: 'unused code', line: 'knip'},
	{name: 'openapi.yaml is the route table', line: 'npm run --silent openapi -- --check'},
	{name: 'the SDK is openapi.yaml', line: 'npm run --silent generate -w packages/client-sdk -- --check'},
	{
		name: 'openapi.yaml is sound',
		line: 'env REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true redocly lint --extends=recommended-strict openapi.yaml',
	},
	// Before the tests: those of the documents use what is built.
	{name: 'build', line: 'npm run build'},
	testStep,
	...[...esmOnly, 'client-sdk'].flatMap(packageSteps),
	// No types: it has no door, only files.
	{name: 'publint dashboard', line: 'publint --strict packages/dashboard'},
	{name: 'the SDK alone in a folder, and its size', line: 'npm run --silent check:sdk'},
	{name: 'packages, installed and used', line: 'npm run --silent check:packages -- --this-node'},
];

type Verdict = Readonly<{step: Step; succeeded: boolean; output: string; seconds: string}>;

const runStep = async (step: Step): Promise<Verdict> => {
	console.log(`▶ ${step.name}`);
	const startedAt = performance.now();
	const {succeeded, output} = await runCommand(step);
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
	if (!succeeded && !step.streams) console.log(output.trimEnd());
	console.log(`${succeeded ? '✔' : '✘'} ${step.name} (${seconds} s)`);
	return {step, succeeded, output, seconds};
};

const totalsOf = (verdicts: readonly Verdict[]) => {
	const others = verdicts.filter(({step, succeeded}) => step !== testStep && !succeeded).length;
	const tests = verdicts.find(({step}) => step === testStep);
	const counted = readTotals(tests?.output ?? '') ?? {passed: 0, failed: 1};
	const uncounted = tests?.succeeded === false && counted.failed === 0 ? 1 : 0;
	return {passed: counted.passed, failed: counted.failed + uncounted + others};
};

const verdicts: Verdict[] = [];
for (const step of steps) verdicts.push(await runStep(step));

console.log('\nSummary');
for (const {step, succeeded, seconds} of verdicts) console.log(`${succeeded ? '✔' : '✘'} ${step.name} (${seconds} s)`);
const totals = totalsOf(verdicts);
console.log(formatTotals(totals));
process.exitCode = totals.failed === 0 ? 0 : 1;
