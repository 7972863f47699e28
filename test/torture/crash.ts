import assert from 'node:assert/strict';
import {crash} from '../scenarios/proxy/crashes.ts';
import {noFaults} from '../scenarios/proxy/durable-calls.ts';

const kills = 20;

/** `kill -9` under load: what a client saw answered is logged, nothing runs twice, and nothing is stuck. */
export const tortureCrash = async (): Promise<void> => {
	const report = await crash(kills);
	console.log(
		`  ${kills} kills; ${report.answered} calls answered, ${report.refused} blocked, ${report.cut} cut; ${report.rows} rows, ${report.unknown_outcomes} of unknown outcome`,
	);
	console.log(
		`  left over: ${report.used} granted, which an identical call used, and ${report.decided} pending, which were decided`,
	);
	assert.deepEqual(report.faults, {...noFaults, stuck: []});
};
