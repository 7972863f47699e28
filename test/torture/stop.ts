import assert from 'node:assert/strict';
import {stop} from '../scenarios/proxy/crashes.ts';
import {noFaults} from '../scenarios/proxy/durable-calls.ts';

const stops = 10;

/** SIGTERM under load: what was taken is answered and logged, and the process ends well within ten seconds. */
export const tortureStop = async (): Promise<void> => {
	const report = await stop(stops);
	console.log(
		`  ${stops} stops, the slowest in ${(report.slowest / 1000).toFixed(2)} s; ${report.answered} calls answered, ${report.refused} blocked, ${report.cut} not taken`,
	);
	assert.deepEqual(report.faults, {...noFaults, lost: []});
	assert.equal(report.unknown_outcomes, 0);
	assert.deepEqual(report.codes, Array(stops).fill(0));
	assert.ok(report.slowest < 10_000, `it took ${report.slowest} ms`);
};
