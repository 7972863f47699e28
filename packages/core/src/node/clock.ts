import {setTimeout as delay} from 'node:timers/promises';
import type {Clock} from '../ports/index.ts';
import {instantOf} from '../values/instant.ts';

/** Longer timers fire at once. */
const longestTimer = 2 ** 31 - 1;

const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
	const end = performance.now() + milliseconds;
	try {
		for (let left = milliseconds; left > 0; left = end - performance.now()) {
			await delay(Math.min(left, longestTimer), undefined, {signal});
		}
	} catch {
		// Aborted: the sleeper wakes early, which is no failure.
	}
};

/** The machine's clock plus `offset()` milliseconds. Sleeps take real time, whatever the offset. */
export const createClock = ({offset}: Readonly<{offset: () => number}>): Clock => ({
	now: () => instantOf(Date.now() + offset()),
	sleep,
});

/** The machine's clock. */
export const systemClock: Clock = createClock({offset: () => 0});
