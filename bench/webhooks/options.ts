import {resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {whole} from '../run-bench.ts';
import {type TargetName, targetNames} from './target.ts';

export const usage = `npm run bench:webhooks -- [options]
  --rounds <n>      rounds, of which the tables show the medians (default 5)
  --seconds <n>     seconds of each load, whole (default 4)
  --flood <n>       seconds of the flood, whole (default 60)
  --only <names>    of ${targetNames.join(' | ')}, separated by |
                    (default all that are not on MariaDB, which writes on after its turn);
                    MariaDB is one of its own, set up as docs/operations.md says, or that at MARIADB_URL
  --part <text>     only parts whose name holds the text: delivered, accepted, paced, flood, statements
  --redis <url>     for BullMQ (default redis://127.0.0.1:6379); its keys begin with signalbox-bench and are removed
  --profile <dir>   also write CPU profiles of the server's threads, which slows it
  --dir <path>      where data goes, on a disk (default .cache/bench-webhooks)
  --json <file>     also write everything that was measured`;

export type Options = Readonly<{
	rounds: number;
	seconds: number;
	flood: number;
	only: readonly TargetName[];
	part: string;
	redis: string;
	profile: string | undefined;
	dir: string | undefined;
	json: string | undefined;
}>;

const withoutMariadb = targetNames.filter((name) => !name.includes('MariaDB'));

const namesIn = (list: string): readonly TargetName[] => {
	const wanted = list.split('|').map((name) => name.trim());
	const names = targetNames.filter((name) => wanted.includes(name));
	if (names.length !== wanted.length) throw new Error(`--only takes names of ${targetNames.join(' | ')}`);
	return names;
};

/** @throws Error that says which option does not hold. */
export const readOptions = (args: readonly string[]): Options => {
	const {values} = parseArgs({
		args: [...args],
		options: {
			rounds: {type: 'string', default: '5'},
			seconds: {type: 'string', default: '4'},
			flood: {type: 'string', default: '60'},
			only: {type: 'string'},
			part: {type: 'string', default: ''},
			redis: {type: 'string', default: 'redis://127.0.0.1:6379'},
			profile: {type: 'string'},
			dir: {type: 'string'},
			json: {type: 'string'},
		},
	});
	const {only, profile, ...rest} = values;
	return {
		...{part: rest.part, redis: rest.redis, dir: rest.dir, json: rest.json},
		rounds: whole('rounds', rest.rounds),
		seconds: whole('seconds', rest.seconds),
		flood: whole('flood', rest.flood),
		only: only === undefined ? withoutMariadb : namesIn(only),
		profile: profile && resolve(profile),
	};
};
