import {type Instant, millisecondsBetween} from '../../values/instant.ts';

const shortest = 5 * 60;
const longest = 3600;

/**
 * How long a tick may be started late (decisions, "Ticks"): until the next one, but an hour at most, and 5 minutes at least.
 *
 * @param next null: there is no other tick.
 * @returns seconds.
 */
export const startWithinSeconds = (tick: Instant, next: Instant | null): number => {
	const untilNext = next === null ? longest : millisecondsBetween(tick, next) / 1000;
	return Math.max(shortest, Math.min(longest, untilNext));
};
