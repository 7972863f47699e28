/** Reads the first page of what is next, of a user with many enabled jobs. Arguments: a directory, how many. Prints JSON. */
import {quantile} from '../quantile.ts';
import {addJobs, openBench} from './fixture.ts';

const [directory = '', jobs = ''] = process.argv.slice(2);
const readings = 20;
const {database, onServer, execute, owner} = await openBench(directory);
await addJobs(database, owner, [{next_run_at: '2099-01-01T00:00:00.000Z'}]);

/** Of the copy with the number n, in the words of each: an id and a time of its own. */
const own = onServer
	? {id: "CONCAT('copy-', LPAD(n, 32, '0'))", time: "'2098-01-01' + INTERVAL n * 7919 % 500000 MINUTE"}
	: {
			id: "printf('copy-%032d', n)",
			time: "strftime('%Y-%m-%d %H:%M:00.000', '2098-01-01', (n * 7919 % 500000) || ' minutes')",
		};
const numbers = onServer
	? `(SELECT seq AS n FROM seq_1_to_${Number(jobs) - 1}) counted`
	: `(WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${Number(jobs) - 1}) SELECT n FROM counted)`;
const named = onServer
	? "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'cron_jobs'"
	: "SELECT name FROM pragma_table_info('cron_jobs')";

/** The one that is there, again and again. */
const multiply = async (): Promise<void> => {
	const columns = ((await execute(named)) as {name: string}[]).map(({name}) => name);
	const copied = columns.map((name) => (name === 'id' ? own.id : name === 'next_run_at' ? own.time : name));
	await execute(`INSERT INTO cron_jobs (${columns.join(', ')}) SELECT ${copied.join(', ')} FROM cron_jobs, ${numbers}`);
};
await multiply();

const times: number[] = [];
for (let reading = 0; reading < readings; reading += 1) {
	const begun = performance.now();
	const {data, total} = await database.stores.cronJobs.upcoming(owner.user_id, {limit: 1000, offset: 0});
	times.push(performance.now() - begun);
	if (total !== Number(jobs) || data.length !== 1000) throw new Error(`${data.length} of ${total} jobs`);
}
await database.close();
console.log(JSON.stringify({first_ms: times[0], p50_ms: quantile(times, 0.5)}));
