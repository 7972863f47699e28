import assert from 'node:assert/strict';
import {noChainFaults} from '../scenarios/cron/chain-audit.ts';
import {crashChains} from '../scenarios/cron/chain-crashes.ts';

/** `TORTURE_KILLS` in the environment: how often, 50 without it. */
const plan = {kills: Number(process.env.TORTURE_KILLS ?? 50), seed: 20_261_122};

const shown = (counts: object): string =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');

/** `kill -9` of the server while chains run: every execution ends as it should, and no step runs twice. */
export const tortureChains = async (): Promise<void> => {
	const began = performance.now();
	const {faults, ended, commands, cut, moments, recoveries} = await crashChains(plan);
	const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
	const sorted = recoveries.toSorted((a, b) => a - b);
	const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
	console.log(`  seed ${plan.seed}: ${plan.kills} kills in ${seconds(performance.now() - began)}`);
	console.log(`  when the server died, executions were: ${shown(moments)}`);
	console.log(`  executions ended: ${shown(ended)}; ${commands} commands; ${cut} requests without an answer`);
	console.log(`  all were over ${seconds(median)} after a start at the median, ${seconds(longest)} at most`);
	assert.deepEqual(faults, noChainFaults);
	assert.equal(recoveries.length, plan.kills);
};
