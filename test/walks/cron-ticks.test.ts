import test from 'ava';
import {fireHastily} from '../scenarios/cron/hasty-ticks.ts';
import {noTickFaults} from '../scenarios/cron/tick-audit.ts';

test('[JOB-089 JOB-090 JOB-099] two servers that are stopped again and again fire each tick once, or count it as missed', async (t) => {
	const {faults, ...report} = await fireHastily({
		...{times: 1800, runs: 600, halts: 4, halt_seconds: [0.5, 2.5], seed: 7},
		jobs: [
			{schedule: 'every 5 minutes', minutes: 5, count: 20},
			{schedule: 'every 2 hours', minutes: 120, count: 20},
		],
	});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noTickFaults);
	t.true(report.runs >= 600);
});
