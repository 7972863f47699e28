/**
 * `npm run bench:cron`: what it takes until the runs of all jobs that are due at one instant are kept, beside others that do
 * alike, and until the first page of what is next is read. Each is measured in turn, round after round; the table shows
 * medians. Ends with 1 when a run is missing; goals that are missed are printed and no failure.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {installPeers} from '../install-peers.ts';
import {describeMachine} from '../proxy/machine.ts';
import {cell, formatGoal, formatMachine, formatTable} from '../proxy/report.ts';
import {median} from '../quantile.ts';
import {runBench} from '../run-bench.ts';
import {isThere} from '../webhooks/peers.ts';
import {contestantsOf, type DueFigures, home, measureUpcoming, versions} from './contestants.ts';
import {judgeGoals, type Row} from './goals.ts';
import {type Options, readOptions, usage} from './options.ts';

const medianOf = (name: string, all: readonly DueFigures[]): Row => {
	const of = (figure: keyof DueFigures) => median(all.map((each) => each[figure]));
	return {name, ms: of('ms'), block_ms: of('block_ms'), peak_mb: of('peak_mb')};
};

const formatRows = (rows: readonly Row[]): string => {
	const lines = rows.map(({name, ms, block_ms, peak_mb}) => [name, cell(ms, 0), cell(block_ms, 1), cell(peak_mb, 0)]);
	return formatTable([['', 'ms', 'longest stop ms', 'peak MiB'], ...lines]);
};

const run = async (options: Options): Promise<void> => {
	const directory = options.dir ?? fileURLToPath(new URL('../../.cache/bench-cron', import.meta.url));
	mkdirSync(directory, {recursive: true});
	const machine = describeMachine(directory);
	installPeers(home);
	console.log(`${formatMachine(machine)}, ${versions()}, ${options.rounds} rounds`);
	const hasRedis = await isThere(options.redis);
	if (!hasRedis) console.log(`no Redis at ${options.redis}: without BullMQ`);
	const contestants = contestantsOf({...options, directory}, hasRedis);
	const measured = new Map<string, DueFigures[]>(contestants.map(({name}) => [name, []]));
	for (let round = 0; round < options.rounds; round += 1) {
		for (const {name, measure} of contestants) measured.get(name)?.push(await measure());
	}
	const rows = Array.from(measured, ([name, all]) => medianOf(name, all));
	console.log(
		`\n${options.jobs} jobs that are due at one instant, until all their runs are kept\n\n${formatRows(rows)}`,
	);
	const upcoming = await measureUpcoming({...options, directory});
	const {first_ms, p50_ms} = upcoming;
	console.log(
		`\nwhat is next of ${options.enabled} jobs: p50 ${cell(p50_ms, 1)} ms, the first time ${cell(first_ms, 1)} ms\n`,
	);
	const goals = judgeGoals(rows, upcoming);
	for (const goal of goals) console.log(formatGoal(goal));
	const figures = {measured: Object.fromEntries(measured), rows, upcoming};
	if (options.json) writeFileSync(options.json, JSON.stringify({machine, options, figures, goals}, undefined, '\t'));
};

const usesMariadb = ({engine}: Options): boolean => engine === 'mariadb';

await runBench({usage, readOptions, run, usesMariadb});
process.exit(0);
