import {fileURLToPath} from 'node:url';
import {createLogicalDatabase} from '../../test/support/mariadb.ts';
import {versionOf} from '../install-peers.ts';
import {makeDirectory, removeDirectory, startTelling} from '../proxy/processes.ts';
import type {Options} from './options.ts';

/** Where what is measured against is installed. */
export const home = fileURLToPath(new URL('.', import.meta.url));

const ours = '100 expressions';
const oursDistinct = 'an expression each';
export const names = {
	ours,
	oursDistinct,
	bullmq: 'BullMQ',
	croner: 'croner and Sequelize',
	least: 'least',
	standing: 'least, jobs stay where they are',
} as const;

/** What it took until the runs of all jobs that were due at one instant were kept, and the most memory of the process. */
export type DueFigures = Readonly<{ms: number; block_ms: number; peak_mb: number}>;

export type Contestant = Readonly<{name: string; measure(): Promise<DueFigures>}>;

export type BenchOptions = Pick<Options, 'jobs' | 'enabled' | 'engine' | 'redis'> &
	Readonly<{directory: string; database?: string}>;

/** From source. What is measured is JavaScript, and as it is built: no user pays for the stripping of types. */
const fromSource = ['--conditions=@signalbox/source'];
/** A process that does little else than firing jobs does with less than what `npm start` gives the server. */
const asBuilt = ['--max-semi-space-size=8', '--heap-growing-percent=40', '--no-allocation-site-pretenuring'];

type Program = readonly [flags: readonly string[], file: string, ...args: readonly string[]];

/** Runs a program in a process of its own. @returns what it printed. */
const runProgram = async <T>(options: BenchOptions, [flags, file, ...args]: Program): Promise<T> => {
	const env = {
		...process.env,
		BENCH_JOBS: String(options.jobs),
		BENCH_DIRECTORY: options.directory,
		BENCH_REDIS: options.redis,
		BENCH_DATABASE: options.database,
	};
	const command = [process.execPath, [...flags, '--no-deprecation', `${home}${file}`, ...args], {env}] as const;
	const {told, ended} = await startTelling(command, (line) => (line.startsWith('{') ? line : undefined));
	await ended;
	return JSON.parse(told);
};

/** Runs `work` with a directory and a database of its own in which it may do what it likes. */
const inDirectory = async <T>(options: BenchOptions, work: (options: BenchOptions) => Promise<T>): Promise<T> => {
	const directory = makeDirectory(options.directory);
	const logical = options.engine === 'mariadb' ? await createLogicalDatabase() : undefined;
	try {
		return await work({...options, directory, database: logical?.url ?? `sqlite:${directory}/signalbox.db`});
	} finally {
		await logical?.drop();
		removeDirectory(directory);
	}
};

type Prepared = Readonly<{expressions: number; file: string; args?: readonly string[]}>;

/** Runs a program over jobs that another one made. */
const measurePrepared = async (
	options: BenchOptions,
	{expressions, file, args = []}: Prepared,
): Promise<DueFigures> => {
	const {directory, jobs} = options;
	const program: Program = [fromSource, 'prepare.ts', directory, String(jobs), String(expressions)];
	const prepared = await runProgram<object>(options, program);
	return runProgram(options, [asBuilt, file, directory, JSON.stringify(prepared), ...args]);
};

/** Each in a process of its own, anew for each measurement. */
export const contestantsOf = (options: BenchOptions, hasRedis: boolean): readonly Contestant[] => {
	const prepared = (program: Prepared) => async () =>
		inDirectory(options, async (own) => measurePrepared(own, program));
	const ours = (expressions: number) => prepared({expressions, file: 'ours.js'});
	const least = (...args: readonly string[]) => prepared({expressions: 100, file: 'least.js', args});
	const leasts = [
		{name: names.least, measure: least()},
		{name: names.standing, measure: least('standing')},
	];
	const peer = (file: string) => async () =>
		inDirectory(options, async (own) => runProgram<DueFigures>(own, [[], `peers/${file}`]));
	return [
		{name: names.ours, measure: ours(100)},
		{name: names.oursDistinct, measure: ours(options.jobs)},
		...(hasRedis ? [{name: names.bullmq, measure: peer('bullmq.js')}] : []),
		{name: names.croner, measure: peer('croner.js')},
		...(options.engine === 'sqlite' ? leasts : []),
	];
};

export type UpcomingFigures = Readonly<{first_ms: number; p50_ms: number}>;

export const measureUpcoming = async (options: BenchOptions): Promise<UpcomingFigures> =>
	inDirectory(options, async (own) =>
		runProgram(own, [fromSource, 'upcoming.ts', own.directory, String(options.enabled)]),
	);

export const versions = (): string => `BullMQ ${versionOf(home, 'bullmq')}`;
