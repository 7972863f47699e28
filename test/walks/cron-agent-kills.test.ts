import test from 'ava';
import {noFaults} from '../scenarios/cron/agent-kill-audit.ts';
import {killAgents} from '../scenarios/cron/agent-kills.ts';

test('[JOB-124 JOB-127 AGT-025] whenever an agent is killed, each attempt has run once at most, every run ends, and nothing is left', async (t) => {
	const {faults, ...report} = await killAgents({kills: 5, seed: 7});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noFaults);
	t.true((report.ended.success ?? 0) > 0);
});
