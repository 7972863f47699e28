import {fileURLToPath} from 'node:url';
import {versionOf} from '../install-peers.ts';
import {makeDirectory, removeDirectory, startTelling} from '../proxy/processes.ts';
import type {DueFigures} from './due.ts';
import type {Options} from './options.ts';

/** Where what is measured against is installed. */
export const home = fileURLToPath(new URL('.', import.meta.url));

const ours = '100 expressions';
const oursDistinct = 'an expression each';
export const names = {ours, oursDistinct, bullmq: 'BullMQ', croner: 'croner and Sequelize'} as const;

export type Contestant = Readonly<{name: string; measure(): Promise<DueFigures>}>;

export type BenchOptions = Pick<Options, 'jobs' | 'enabled' | 'redis'> & Readonly<{directory: string}>;

/** Runs a program in a process and a directory of its own. @returns what it printed. */
const runProgram = async <T>(options: BenchOptions, program: string, args: readonly string[] = []): Promise<T> => {
	const directory = makeDirectory(options.directory);
	const env = {
		...process.env,
		BENCH_JOBS: String(options.jobs),
		BENCH_DIRECTORY: directory,
		BENCH_REDIS: options.redis,
	};
	const flags = ['--conditions=@signalbox/source', '--no-deprecation'];
	const command = [process.execPath, [...flags, `${home}${program}`, directory, ...args], {env}] as const;
	const {told, ended} = await startTelling(command, (line) => (line.startsWith('{') ? line : undefined));
	await ended;
	removeDirectory(directory);
	return JSON.parse(told);
};

/** Each in a process of its own, anew for each measurement. */
export const contestantsOf = (options: BenchOptions, hasRedis: boolean): readonly Contestant[] => {
	const fire = (expressions: number) => async () =>
		runProgram<DueFigures>(options, 'ours.ts', [String(options.jobs), String(expressions)]);
	const bullmq = {name: names.bullmq, measure: async () => runProgram<DueFigures>(options, 'peers/bullmq.js')};
	return [
		{name: names.ours, measure: fire(100)},
		{name: names.oursDistinct, measure: fire(options.jobs)},
		...(hasRedis ? [bullmq] : []),
		{name: names.croner, measure: async () => runProgram<DueFigures>(options, 'peers/croner.js')},
	];
};

export type UpcomingFigures = Readonly<{first_ms: number; p50_ms: number}>;

export const measureUpcoming = async (options: BenchOptions): Promise<UpcomingFigures> =>
	runProgram(options, 'upcoming.ts', [String(options.enabled)]);

export const versions = (): string => `BullMQ ${versionOf(home, 'bullmq')}`;
