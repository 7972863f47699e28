/**
 * Fires jobs that are due at one instant, as a server does. Arguments: a directory, how many jobs, how many different
 * expressions they have. Prints what it took as JSON.
 */
import {setTimeout as pause} from 'node:timers/promises';
import {createTestCore} from '@signalbox/core/testing';
import {measureDue} from './due.ts';
import {addJobs, openBench} from './fixture.ts';
import {schedulesAtNoon} from './schedules.ts';

const [directory = '', ...counts] = process.argv.slice(2);
const [jobs = 0, expressions = 0] = counts.map(Number);
/** As the server does. */
const ticksAtOnce = 10_000;
const batch = 2500;
const warmUp = 5000;
const day = 24 * 3_600_000;

let offset = 0;
const {database, owner} = await openBench(directory, () => offset);
const {core} = createTestCore({ports: database.stores});

const tick = new Date(Date.now() + 2 * day);
tick.setUTCDate(Math.min(tick.getUTCDate(), 28));
tick.setUTCMonth(tick.getUTCMonth() + 1);
tick.setUTCHours(12, 0, 0, 0);
const due = schedulesAtNoon(tick.getUTCDate(), expressions);
const at = (time: number) => ({next_run_at: new Date(time).toISOString()});
const rarely = {schedule_cron: '0 0 29 2 *', ...at(tick.getTime() - 2 * day)};
await addJobs(database, owner, Array(batch).fill(rarely));
await addJobs(database, owner, Array(warmUp - batch).fill({...rarely, ...at(tick.getTime() - day)}));
await addJobs(
	database,
	owner,
	Array.from({length: jobs}, (_, index) => ({schedule_cron: due[index % due.length] ?? '', ...at(tick.getTime())})),
);

const fireAll = async (): Promise<void> => {
	while ((await core.cron.ticks.tick(ticksAtOnce)).due === ticksAtOnce);
};
const moveTo = (time: number): void => {
	offset = time - Date.now();
};

moveTo(tick.getTime() - 2 * day);
await fireAll();
// The thread that fires is started by the first ones.
await pause(2000);
moveTo(tick.getTime() - day);
await fireAll();
moveTo(tick.getTime());
const figures = await measureDue(fireAll);
const {total} = await database.stores.executions.list(owner.user_id, {}, {limit: 1, offset: 0, output_bytes: 0});
if (total !== jobs + warmUp) throw new Error(`${total} runs of ${jobs + warmUp}`);
await database.close();
console.log(JSON.stringify(figures));
