import assert from 'node:assert/strict';
import {noFaults} from '../scenarios/cron/agent-kill-audit.ts';
import {killAgents} from '../scenarios/cron/agent-kills.ts';

const plan = {kills: 100, seed: 20_261_122};

/** `kill -9` while an agent takes, runs and reports work: each attempt runs once at most, and every run ends. */
export const tortureAgentKills = async (): Promise<void> => {
	const began = performance.now();
	const {faults, ended, moments, orphans} = await killAgents(plan);
	const seconds = ((performance.now() - began) / 1000).toFixed(0);
	const shown = (counts: object) =>
		Object.entries(counts)
			.map(([name, count]) => `${count} ${name}`)
			.join(', ');
	console.log(`  seed ${plan.seed}: ${plan.kills} kills in ${seconds} s, in the middle of: ${shown(moments)}`);
	console.log(`  runs ended: ${shown(ended)}; ${orphans} processes outlived their agent until the next one`);
	assert.deepEqual(faults, noFaults);
};
