import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import {createTestCore} from '../../src/testing/index.ts';

const program = fileURLToPath(new URL('./cold-schedule.ts', import.meta.url));
const mostMs = 50;
const runs = 3;

/** Rare dates, zones that change often, long lists, white space, letters of other alphabets, and what is far too long. */
const suspects: readonly (readonly [schedule: string, timezone: string])[] = [
	['0 0 29 2 *', 'UTC'],
	['0 0 29 2 *', 'Africa/Casablanca'],
	['0 0 29 2 1#5', 'America/New_York'],
	['59 23 31 1-12 0#5,6L', 'Antarctica/Troll'],
	['0 0 31 2,4,6,9,11 *', 'UTC'],
	[`${Array.from({length: 40}, (_, index) => index).join(',')} * * * *`, 'Australia/Lord_Howe'],
	[`every year on february 29th at ${'9am,'.repeat(20)}`, 'Europe/Berlin'],
	[`every ${'monday and '.repeat(10)}`, 'UTC'],
	[' '.repeat(4096), 'UTC'],
	['\t \u2028'.repeat(1365), 'UTC'],
	[`${'1-59/1,'.repeat(585)}`, 'UTC'],
	['İ'.repeat(2048), 'Ä'.repeat(2048)],
	['* * * * *', `${'A/'.repeat(2048)}`],
];

/** Of this thread: others of the process run other files of tests. */
const cpuMs = async (work: () => Promise<unknown>): Promise<number> => {
	const before = process.threadCpuUsage();
	await work();
	const {user, system} = process.threadCpuUsage(before);
	return (user + system) / 1000;
};

const part = fc.oneof(
	...['*', '*/7', 'l', '1', '29', '31', '2', '0-59/13', '1#5', '5l', 'mon-fri', ','].map((text) => fc.constant(text)),
	fc.integer({min: 0, max: 60}).map(String),
);
const field = fc.array(part, {minLength: 1, maxLength: 12}).map((parts) => parts.join(','));
const word = fc.constantFrom(
	...'every day week month year on the at and 1st 29th last 9am noon monday february , 5'.split(' '),
);
const anySchedule = fc.oneof(
	fc.tuple(field, field, field, field, field).map((fields) => fields.join(' ')),
	fc.array(word, {maxLength: 40}).map((words) => words.join(' ')),
	fc.string({maxLength: 4096, unit: 'binary'}),
);
const anyZone = fc.constantFrom('UTC', 'Africa/Casablanca', 'Antarctica/Troll', 'America/New_York', 'Asia/Gaza');

/** The most expensive of many, found where everything is warm. */
const costliest = async (): Promise<readonly (readonly [string, string])[]> => {
	const {core} = createTestCore();
	const costs: Readonly<{input: readonly [string, string]; ms: number}>[] = [];
	for (const input of fc.sample(fc.tuple(anySchedule, anyZone), {numRuns: 1500, seed: 7})) {
		const [schedule, timezone] = input;
		const ms = await cpuMs(async () => core.cron.jobs.explain({schedule, timezone}).catch(() => undefined));
		costs.push({input, ms});
	}
	return costs
		.sort((one, other) => other.ms - one.ms)
		.slice(0, 2)
		.map(({input}) => input);
};

/** The median of fresh processes, each of which knows nothing yet. */
const coldMs = async (input: readonly [string, string]): Promise<number> => {
	const measured: number[] = [];
	while (measured.length < runs) {
		const args = ['--conditions=@signalbox/source', '--no-deprecation', program];
		const {stdout} = await promisify(execFile)(process.execPath, [
			...args,
			...input.map((text) => text.replaceAll('\0', ' ')),
		]);
		measured.push(Number(stdout));
	}
	return measured.sort((one, other) => one - other)[Math.floor(runs / 2)] ?? Number.NaN;
};

test('no schedule of 4 KB or less costs more than 50 ms of CPU, also as the first one of a process', async (t) => {
	t.timeout(120_000);
	for (const input of [...suspects.slice(0, 4), ...(await costliest())]) {
		const ms = await coldMs(input);
		t.true(ms <= mostMs, `${JSON.stringify(input)}: ${ms} ms`);
		t.log(`${JSON.stringify(input).slice(0, 80)}: ${ms.toFixed(1)} ms`);
	}
});

test('a schedule that no one could mean costs less than 50 ms of CPU in a process that is warm', async (t) => {
	const {core} = createTestCore();
	await core.cron.jobs.explain({schedule: '0 0 29 2 *', timezone: 'Asia/Gaza'});
	for (const [schedule, timezone] of suspects) {
		const ms = await cpuMs(async () => core.cron.jobs.explain({schedule, timezone}).catch(() => undefined));
		t.true(ms <= mostMs, `${schedule.slice(0, 40)}: ${ms} ms`);
	}
});
