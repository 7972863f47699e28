import {setTimeout as delay, setImmediate as turn} from 'node:timers/promises';
import type {Clock} from '../ports/index.ts';
import {type Instant, instantOf} from '../values/instant.ts';

/** Longer timers fire at once. */
const longestTimer = 2 ** 31 - 1;

const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
	const end = performance.now() + milliseconds;
	try {
		if (milliseconds <= 0) await turn(undefined, {signal});
		for (let left = milliseconds; left > 0; left = end - performance.now()) {
			await delay(Math.min(left, longestTimer), undefined, {signal});
		}
	} catch {
		// Aborted: the sleeper wakes early, which is no failure.
	}
};

const threeDigits = Array.from({length: 1000}, (_, milliseconds) => String(milliseconds).padStart(3, '0'));

/** The instant as text. Within a second only its milliseconds are written: a busy process asks thousands of times in each. */
const createInstantWriter = (): ((epochMilliseconds: number) => Instant) => {
	let written = Number.NaN;
	let instant = '';
	let second = Number.NaN;
	let beginning = '';
	return (epochMilliseconds) => {
		if (epochMilliseconds === written) return instant;
		const begun = Math.floor(epochMilliseconds / 1000) * 1000;
		if (begun !== second) {
			beginning = instantOf(begun).slice(0, -4);
			second = begun;
		}
		instant = `${beginning}${threeDigits[Math.trunc(epochMilliseconds - begun)]}Z`;
		written = epochMilliseconds;
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
