/**
 * Makes the jobs of `ours.js`, in a process of its own: what that takes is no part of what is measured. Arguments: a directory,
 * how many jobs, how many different expressions they have. Prints the instant at which they are due as JSON.
 */
import {addJobs, openBench} from './fixture.ts';
import {schedulesAtNoon} from './schedules.ts';

const [directory = '', ...counts] = process.argv.slice(2);
const [jobs = 0, expressions = 0] = counts.map(Number);
/** Fired by `ours.js` before, for two rounds. */
const warmUp = 2500;
const day = 24 * 3_600_000;

const {database, owner} = await openBench(directory);
const tick = new Date(Date.now() + 2 * day);
tick.setUTCDate(Math.min(tick.getUTCDate(), 28));
tick.setUTCMonth(tick.getUTCMonth() + 1);
tick.setUTCHours(12, 0, 0, 0);
const due = schedulesAtNoon(tick.getUTCDate(), expressions);
const at = (time: number) => ({next_run_at: new Date(time).toISOString()});
const rarely = {schedule_cron: '0 0 29 2 *'};
await addJobs(database, owner, Array(warmUp).fill({...rarely, ...at(tick.getTime() - 2 * day)}));
await addJobs(database, owner, Array(warmUp).fill({...rarely, ...at(tick.getTime() - day)}));
await addJobs(
	database,
	owner,
	Array.from({length: jobs}, (_, index) => ({schedule_cron: due[index % due.length] ?? '', ...at(tick.getTime())})),
);
await database.close();
console.log(JSON.stringify({tick: tick.toISOString(), user_id: owner.user_id, runs: jobs + 2 * warmUp}));
