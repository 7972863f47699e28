import type {Reply} from '../../support/api.ts';
import {countIn} from '../../support/data-directory.ts';
import {tally} from '../../support/tally.ts';
import {type Latencies, race} from './race.ts';
import type {Racer, RacingServers} from './racing-servers.ts';

export type RefreshPlan = Readonly<{rounds: number; ways: number}>;

/** What became of the session of somebody who refreshed it many times at once. */
export type Refreshed = Readonly<{
	answers: Readonly<Partial<Record<string, number>>>;
	/** Different refresh tokens among the answers. */
	successors: number;
	/** Refresh tokens that are good afterwards. */
	heads: number;
	/** Whether the successor is good for one more, at each process. */
	goes_on: readonly number[];
	/** Refresh tokens that are good after the session was closed while it was refreshed as often once more. */
	outlived: number;
	latencies: Latencies;
}>;

/** One successor for everybody, which goes on; and none that outlives the session. */
export const isWhole = ({answers, successors, heads, goes_on, outlived}: Refreshed, {ways}: RefreshPlan): boolean =>
	answers[200] === ways &&
	successors === 1 &&
	heads === 1 &&
	goes_on.every((status) => status === 200) &&
	outlived === 0;

const headsOf = async ({directory}: RacingServers, {id}: Racer): Promise<number> =>
	countIn(
		directory,
		`SELECT COUNT(*) AS count FROM refresh_tokens t JOIN session_families f ON f.id = t.family_id
			WHERE t.user_id = '${id}' AND t.used_at IS NULL AND f.revoked_at IS NULL`,
	);

const successorsIn = (replies: readonly Reply[]): readonly string[] => [
	...new Set(replies.filter(({status}) => status === 200).map(({body}) => body.refresh_token)),
];

const raceOne = async (servers: RacingServers, ways: number): Promise<Refreshed> => {
	const racer = await servers.addRacer();
	const refresh = async (turn: number, refresh_token: string | undefined) =>
		racer.at(turn).post('/v1/auth/refresh', {refresh_token});
	const {replies, latencies} = await race(ways, async (turn) => refresh(turn, racer.refresh_token));
	const [successor, ...others] = successorsIn(replies);
	const heads = await headsOf(servers, racer);
	const again = await Promise.all([refresh(0, successor), refresh(1, successor)]);
	const [head] = successorsIn(again);
	const closing = Math.floor(ways / 2);
	await race(ways, async (turn) =>
		turn === closing ? racer.at(turn).post('/v1/auth/logout', {refresh_token: head}) : refresh(turn, head),
	);
	return {
		answers: tally(replies.map(({status}) => String(status))),
		successors: others.length + 1,
		heads,
		goes_on: again.map(({status}) => status),
		outlived: await headsOf(servers, racer),
		latencies,
	};
};

/** Has people refresh one session many times at once over both processes, and close it while it is refreshed. */
export const raceRefreshes = async (
	servers: RacingServers,
	{rounds, ways}: RefreshPlan,
): Promise<readonly Refreshed[]> => {
	const refreshed: Refreshed[] = [];
	while (refreshed.length < rounds) refreshed.push(await raceOne(servers, ways));
	return refreshed;
};
