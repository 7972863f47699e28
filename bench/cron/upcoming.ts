/** Reads the first page of what is next, of a user with many enabled jobs. Arguments: a directory, how many. Prints JSON. */
import {DatabaseSync} from 'node:sqlite';
import {quantile} from '../quantile.ts';
import {addJobs, openBench} from './fixture.ts';

const [directory = '', jobs = ''] = process.argv.slice(2);
const readings = 20;
const {database, file, owner} = await openBench(directory);
await addJobs(database, owner, [{next_run_at: '2099-01-01T00:00:00.000Z'}]);

/** The one that is there, again and again: each under an id and at a time of its own. */
const multiply = (): void => {
	const direct = new DatabaseSync(file);
	const columns = direct.prepare('SELECT name FROM pragma_table_info(?)').all('cron_jobs');
	const copied = columns.map(({name}) => {
		if (name === 'id') return "printf('copy-%032d', n)";
		return name === 'next_run_at'
			? "strftime('%Y-%m-%d %H:%M:00.000', '2098-01-01', (n * 7919 % 500000) || ' minutes')"
			: name;
	});
	direct.exec(
		`WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${Number(jobs) - 1})
		INSERT INTO cron_jobs SELECT ${copied.join(', ')} FROM cron_jobs, counted`,
	);
	direct.close();
};
multiply();

const times: number[] = [];
for (let reading = 0; reading < readings; reading += 1) {
	const begun = performance.now();
	const {data, total} = await database.stores.cronJobs.upcoming(owner.user_id, {limit: 1000, offset: 0});
	times.push(performance.now() - begun);
	if (total !== Number(jobs) || data.length !== 1000) throw new Error(`${data.length} of ${total} jobs`);
}
await database.close();
console.log(JSON.stringify({first_ms: times[0], p50_ms: quantile(times, 0.5)}));
