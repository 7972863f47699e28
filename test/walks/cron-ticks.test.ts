import test from 'ava';
import {fireHastily} from '../scenarios/cron/hasty-ticks.ts';
import {noTickFaults} from '../scenarios/cron/tick-audit.ts';

const jobs = [
	{schedule: 'every 5 minutes', minutes: 5, count: 20},
	{schedule: 'every 2 hours', minutes: 120, count: 20},
];

// Ten minutes a second: a machine out of breath that stands still by itself for 2 s, as some do, is in time for each tick.
test('[JOB-089 JOB-090 JOB-099] two servers that are stopped again and again fire each tick once, or count it as missed', async (t) => {
	const {faults, ...report} = await fireHastily({
		...{times: 600, skews: [0, 0], runs: 400, halts: 4, halt_seconds: [0.5, 2.5], seed: 7},
		jobs,
	});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noTickFaults);
	t.true(report.runs >= 400);
});

/** Of servers whose hours are 6 seconds of the machine. */
const fiveSeconds = 5000 * 600;

test('[JOB-091] of three servers whose own clocks are 5 s ahead, right and 5 s behind none fires a tick twice, or before it is due', async (t) => {
	const {faults, ...report} = await fireHastily({
		...{times: 600, skews: [fiveSeconds, 0, -fiveSeconds], runs: 160, halts: 2, halt_seconds: [0.5, 1.5], seed: 3},
		jobs,
	});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noTickFaults);
});
