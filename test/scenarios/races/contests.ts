import {startCountingUpstream} from '../proxy/counting-upstream.ts';
import {type Contest, hold, type Outcome} from './contest.ts';
import {planContests} from './plan-contests.ts';
import type {RacingServers} from './racing-servers.ts';
import {singleContests} from './single-contests.ts';
import {trafficContests} from './traffic-contests.ts';

/** Has that many at once, half of them over each process, ask for what is limited, one kind after the other. */
export const raceForLimits = async (servers: RacingServers, ways: number): Promise<readonly Outcome[]> => {
	const upstream = await startCountingUpstream();
	try {
		const contests: readonly Contest[] = [
			...(await planContests(servers, ways)),
			...(await trafficContests({servers, upstream, ways})),
			...(await singleContests(servers, ways)),
		];
		const outcomes: Outcome[] = [];
		for (const contest of contests) outcomes.push(await hold(contest));
		return outcomes;
	} finally {
		await upstream.close();
	}
};
