import {setTimeout as delay} from 'node:timers/promises';
import type {Clock} from '../ports/index.ts';
import {type Instant, instantOf} from '../values/instant.ts';

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

/** The instant as text; within one millisecond it is written once: a busy process asks thousands of times a second. */
const createInstantWriter = (): ((epochMilliseconds: number) => Instant) => {
	let written = Number.NaN;
	let instant = '';
	return (epochMilliseconds) => {
		if (epochMilliseconds !== written) {
			instant = instantOf(epochMilliseconds);
			written = epochMilliseconds;
		}
		return instant;
	};
};

/** The machine's clock plus `offset()` milliseconds. Sleeps take real time, whatever the offset. */
export const createClock = ({offset}: Readonly<{offset: () => number}>): Clock => {
	const write = createInstantWriter();
	return {now: () => write(Date.now() + offset()), sleep};
};

/** The machine's clock. */
export const systemClock: Clock = createClock({offset: () => 0});
