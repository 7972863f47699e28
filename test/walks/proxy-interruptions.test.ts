import test from 'ava';
import {crash, stop} from '../scenarios/proxy/crashes.ts';
import {noFaults} from '../scenarios/proxy/durable-calls.ts';

test('[PRX-100 PRX-101] killed twice under load, a server has logged what it answered, and nothing runs twice or is stuck', async (t) => {
	const report = await crash(2);
	const {answered, cut, rows, unknown_outcomes} = report;
	t.log(JSON.stringify({answered, cut, rows, unknown_outcomes}));
	t.deepEqual(report.faults, {...noFaults, stuck: []});
});

test('stopped twice under load, a server ends in time, and has answered and logged what it took', async (t) => {
	const report = await stop(2);
	const {answered, slowest} = report;
	t.log(JSON.stringify({answered, slowest: Math.round(slowest)}));
	t.deepEqual(report.faults, {...noFaults, lost: []});
	t.is(report.unknown_outcomes, 0);
	t.deepEqual(report.codes, [0, 0]);
});
