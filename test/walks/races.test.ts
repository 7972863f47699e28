import test from 'ava';
import {raceForLimits} from '../scenarios/races/contests.ts';
import {isFair, raceDecisions} from '../scenarios/races/decisions.ts';
import {startRacingServers} from '../scenarios/races/racing-servers.ts';
import {isWhole, raceRefreshes} from '../scenarios/races/refreshes.ts';

const starting = startRacingServers();
test.after.always(async () => (await starting).close());

test('[APR-053 APR-054 APR-055] of parallel decisions over two processes one counts, and the call runs at most once', async (t) => {
	const plan = {approvals: 3, decisions: 100};
	for (const decided of await raceDecisions(await starting, plan))
		t.true(isFair(decided, plan), JSON.stringify(decided));
});

test('[ACC-099 MCP-084] what plans, servers and endpoints limit is never exceeded, whoever asks over two processes', async (t) => {
	for (const {name, answers, faults} of await raceForLimits(await starting, 40)) {
		t.log(`${name}: ${JSON.stringify(answers)}`);
		t.deepEqual(faults, [], name);
	}
});

test('a session that is refreshed over two processes at once has one successor, and none once it is closed', async (t) => {
	const plan = {rounds: 2, ways: 100};
	for (const refreshed of await raceRefreshes(await starting, plan))
		t.true(isWhole(refreshed, plan), JSON.stringify(refreshed));
});
