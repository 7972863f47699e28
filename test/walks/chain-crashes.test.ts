import test from 'ava';
import {noChainFaults} from '../scenarios/cron/chain-audit.ts';
import {crashChains} from '../scenarios/cron/chain-crashes.ts';

test('[CHN-054 CHN-063 CHN-064] whenever a server is killed, each step of a chain has run once at most, and every execution ends as it should', async (t) => {
	const {faults, ...report} = await crashChains({kills: 3, seed: 5});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noChainFaults);
	t.true((report.ended.completed ?? 0) > 0 && (report.ended.failed ?? 0) > 0);
});
