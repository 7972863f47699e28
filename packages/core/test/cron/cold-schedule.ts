import {createTestCore} from '../../src/testing/index.ts';

/** Explains a schedule as the first thing that a process does. Arguments: schedule and zone. Prints the milliseconds of CPU. */
const [schedule = '', timezone = ''] = process.argv.slice(2);
const {core} = createTestCore();
const before = process.cpuUsage();
await core.cron.jobs.explain({schedule, timezone}).catch(() => undefined);
const {user, system} = process.cpuUsage(before);
console.log((user + system) / 1000);
