import {resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {whole} from '../run-bench.ts';
import {type ContestantName, contestantNames, isMcpProxy} from './contestant.ts';
import type {Driver} from './signalbox.ts';

/** Seconds. By then V8 has compiled what a server runs over and over. */
const longestWarmUp = 8;

export const usage = `npm run bench:proxy -- [options]
  --rounds <n>      rounds, of which the tables show the medians (default 5)
  --seconds <n>     seconds of each load, whole (default 4)
  --warm-up <n>     seconds of the load of each that comes first and does not count (default four loads, at most 8)
  --only <names>    of ${contestantNames.join(',')} 
                    (default all but MariaDB; without mcp-proxy for one round of 1 s);
                    MariaDB is one of its own, set up as docs/operations.md says, or that at MARIADB_URL
  --scenario <text> only scenarios whose name holds the text
  --driver <name>   sqlite3 or node: the SQLite library of the server (default: its own choice)
  --profile <dir>   also write CPU profiles of the server's threads, which slows it
  --dir <path>      where data goes, on a disk (default .cache/bench-proxy)
  --json <file>     also write everything that was measured`;

export type Options = Readonly<{
	rounds: number;
	seconds: number;
	warm_up: number;
	only: readonly ContestantName[];
	scenario: string;
	driver: Driver | undefined;
	profile: string | undefined;
	dir: string | undefined;
	json: string | undefined;
}>;

const isDriver = (name: string | undefined): name is Driver | undefined =>
	name === undefined || name === 'sqlite3' || name === 'node';

/**
 * The short form shows what a change did to ours: it must not take longer than one is willing to wait. What MariaDB writes after
 * its turn takes the disk from those that come next, so that it takes part when it is asked for.
 */
const defaultNames = (isShort: boolean): readonly ContestantName[] =>
	contestantNames.filter((name) => name !== 'ours on MariaDB' && !(isShort && isMcpProxy(name)));

const namesIn = (list: string): readonly ContestantName[] => {
	const wanted = list.split(',');
	const names = contestantNames.filter((name) => wanted.includes(name));
	if (names.length !== wanted.length) throw new Error(`--only takes names of ${contestantNames.join(', ')}`);
	return names;
};

/** @throws Error that says which option does not hold. */
export const readOptions = (args: readonly string[]): Options => {
	const {values} = parseArgs({
		args: [...args],
		options: {
			rounds: {type: 'string', default: '5'},
			seconds: {type: 'string', default: '4'},
			'warm-up': {type: 'string'},
			only: {type: 'string'},
			scenario: {type: 'string', default: ''},
			driver: {type: 'string'},
			profile: {type: 'string'},
			dir: {type: 'string'},
			json: {type: 'string'},
		},
	});
	const {driver, profile, dir, json, scenario} = values;
	if (!isDriver(driver)) throw new Error('--driver takes sqlite3 or node');
	const [rounds, seconds] = [whole('rounds', values.rounds), whole('seconds', values.seconds)];
	const warmUp = values['warm-up'];
	return {
		rounds,
		seconds,
		warm_up: warmUp === undefined ? Math.min(longestWarmUp, 4 * seconds) : whole('warm-up', warmUp),
		only: values.only === undefined ? defaultNames(rounds * seconds === 1) : namesIn(values.only),
		scenario,
		driver,
		profile: profile && resolve(profile),
		dir,
		json,
	};
};
