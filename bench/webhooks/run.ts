/**
 * `npm run bench:webhooks`: what a webhook costs from the door to its destination, beside others that do the same. All stand
 * ready at once, each in a process of its own, and are loaded in turn, round after round; the tables show medians. Ends with
 * 1 when an answer was wrong, a delivery is missing, or the records of ours do not hold what was answered; goals that are
 * missed are printed and no failure.
 */
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {engineNames, measurable} from '../engine.ts';
import {installPeers} from '../install-peers.ts';
import {closedLoopTool} from '../proxy/load.ts';
import {describeMachine} from '../proxy/machine.ts';
import {makeDirectory} from '../proxy/processes.ts';
import {formatGoal, formatMachine} from '../proxy/report.ts';
import {buildServer, flagsOf} from '../proxy/signalbox.ts';
import {runBench} from '../run-bench.ts';
import {type Figures, judgeGoals} from './goals.ts';
import {measure, measureDelays, warmUp} from './measure.ts';
import {type Options, readOptions, usage} from './options.ts';
import {home, startPeers} from './peers.ts';
import {formatDelays, formatRows} from './report.ts';
import {startSignalbox} from './signalbox.ts';
import {type Sink, startSink} from './sink-process.ts';
import {summarise, summariseDelays} from './summary.ts';
import {type Contestant, engineOf, type Target, type TargetName} from './target.ts';

type Run = Options & Readonly<{directory: string; sink: Sink}>;

const pace = {connections: 32};
const flood = {connections: 256};
const eventsPerSecond = 40;
const alone: readonly TargetName[] = [
	'ours, accept alone',
	'ours on MariaDB, accept alone',
	'one insert per event',
	'least, accept alone',
];

const flagsFor = ({profile}: Run) => flagsOf({driver: undefined, profile});

const has = ({part}: Options, name: string): boolean => name.includes(part);

const startAll = async (run: Run): Promise<readonly Contestant[]> => {
	const ours: Contestant[] = [];
	for (const engine of await measurable(engineNames)) {
		if (run.only.some((name) => name.startsWith('ours') && engineOf(name) === engine))
			ours.push(await startSignalbox({...run, engine, flags: flagsFor(run)}));
	}
	return [...ours, ...(await startPeers((name) => run.only.includes(name), run))];
};

const stopAll = async (contestants: readonly Contestant[]): Promise<void> => {
	for (const {stop} of contestants) await stop();
};

const compare = async (run: Run): Promise<Pick<Figures, 'delivered' | 'accepted' | 'paced'>> => {
	const contestants = await startAll(run);
	console.log(`\n${contestants.map(({targets, version}) => `${targets[0]?.name}: ${version}`).join(' · ')}`);
	const targets = contestants.flatMap((each) => each.targets).filter(({name}) => run.only.includes(name));
	const isAlone = ({name}: Target) => alone.includes(name);
	const part = async (name: string, title: string, chosen: readonly Target[]) => {
		if (!has(run, name)) return [];
		await warmUp(chosen, run.sink);
		const rows = summarise(await measure(chosen, run, pace));
		console.log(formatRows(title, rows));
		return rows;
	};
	const sending = targets.filter((target) => !isAlone(target));
	const delivered = await part('delivered', 'delivered: 32 connections', sending);
	const accepted = await part('accepted', 'accepted: 32 connections, nothing to deliver', targets.filter(isAlone));
	const seconds = Math.max(run.seconds, 10);
	const paced = has(run, 'paced')
		? summariseDelays(await measureDelays(contestants, {...run, seconds}, eventsPerSecond))
		: [];
	if (paced.length > 0) console.log(formatDelays(`paced: ${eventsPerSecond} events/s, until delivered`, paced));
	await stopAll(contestants);
	return {delivered, accepted, paced};
};

/** Loads a server that nothing else was sent to, at fan-out 1. */
const loadFresh = async (
	run: Run,
	flags: readonly string[],
	course: Readonly<{seconds: number; connections: number}>,
) => {
	const ours = await startSignalbox({...run, engine: 'sqlite', flags});
	const targets = ours.targets.filter(({name}) => name === 'ours');
	const rows = summarise(await measure(targets, {...run, rounds: 1, seconds: course.seconds}, course));
	return {rows, stop: ours.stop};
};

const measureFlood = async (run: Run): Promise<Figures['flood']> => {
	if (!has(run, 'flood')) return [];
	const {rows, stop} = await loadFresh(run, flagsFor(run), {...flood, seconds: run.flood});
	await stop();
	console.log(formatRows(`flood: ${flood.connections} connections for ${run.flood} s`, rows));
	return rows;
};

const counter = new URL('./peers/count-statements.js', import.meta.url).href;
const tellsEvery = 100;

/** The few of a server that starts are counted, too. */
const countStatements = async (run: Run): Promise<number | undefined> => {
	// It counts in the library of SQLite.
	if (!has(run, 'statements')) return undefined;
	const directory = makeDirectory(run.directory);
	const flags = [...flagsFor(run), '--import', `${counter}?${encodeURIComponent(directory)}`];
	const {rows, stop} = await loadFresh(run, flags, {...pace, seconds: run.seconds});
	await pause(5 * tellsEvery);
	const counts = readdirSync(directory).map((thread) => Number(readFileSync(`${directory}/${thread}`, 'utf8')));
	await stop();
	const [events] = rows.map((row) => row.events);
	return events && counts.reduce((sum, count) => sum + count, 0) / events;
};

const run = async (options: Options): Promise<void> => {
	const directory = options.dir ?? fileURLToPath(new URL('../../.cache/bench-webhooks', import.meta.url));
	mkdirSync(directory, {recursive: true});
	const machine = describeMachine(directory);
	console.log(`${formatMachine(machine)}, load by ${closedLoopTool}, ${options.rounds} rounds of ${options.seconds} s`);
	installPeers(home);
	buildServer();
	const sink = await startSink();
	const running = {...options, directory, sink};
	const compared = await compare(running);
	const figures = {
		...compared,
		flood: await measureFlood(running),
		statements_per_event: await countStatements(running),
	};
	await sink.stop();
	const goals = judgeGoals(figures);
	console.log('\nNo failed request; every accepted webhook of ours is on record as delivered, with one attempt.\n');
	for (const goal of goals) console.log(formatGoal(goal));
	if (options.json) writeFileSync(options.json, JSON.stringify({machine, options, figures, goals}, undefined, '\t'));
};

const usesMariadb = ({only}: Options): boolean => only.some((name) => engineOf(name) === 'mariadb');

await runBench({usage, readOptions, run, usesMariadb});
// What the pools of fetch keep open is of no use any more.
process.exit(0);
