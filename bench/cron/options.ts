import {parseArgs} from 'node:util';
import {type EngineName, engineIn} from '../engine.ts';
import {whole} from '../run-bench.ts';

export const usage = `npm run bench:cron -- [options]
  --rounds <n>   rounds, of which the tables show the medians (default 5)
  --jobs <n>     jobs that are due at one instant (default 10000)
  --enabled <n>  enabled jobs of the user whose next runs are read (default 100000)
  --engine <name> sqlite (default) or mariadb, one of its own or that at MARIADB_URL: what ours keeps its runs in
  --redis <url>  for BullMQ (default redis://127.0.0.1:6379); its keys begin with signalbox-bench and are removed
  --dir <path>   where data goes, on a disk (default .cache/bench-cron)
  --json <file>  also write everything that was measured`;

export type Options = Readonly<{
	rounds: number;
	jobs: number;
	enabled: number;
	engine: EngineName;
	redis: string;
	dir: string | undefined;
	json: string | undefined;
}>;

/** @throws Error that says which option does not hold. */
export const readOptions = (args: readonly string[]): Options => {
	const {values} = parseArgs({
		args: [...args],
		options: {
			rounds: {type: 'string', default: '5'},
			jobs: {type: 'string', default: '10000'},
			enabled: {type: 'string', default: '100000'},
			engine: {type: 'string', default: 'sqlite'},
			redis: {type: 'string', default: 'redis://127.0.0.1:6379'},
			dir: {type: 'string'},
			json: {type: 'string'},
		},
	});
	return {
		rounds: whole('rounds', values.rounds),
		jobs: whole('jobs', values.jobs),
		enabled: whole('enabled', values.enabled),
		engine: engineIn(values.engine),
		redis: values.redis,
		dir: values.dir,
		json: values.json,
	};
};
