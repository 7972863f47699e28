import type {Clock} from '../clock.ts';

/** The sleep of one loop, which others may cut short. */
export type Nap = Readonly<{
	/** Sleeps so long, until it is woken, or without a number until it is woken. */
	sleep(milliseconds?: number): Promise<void>;
	/** Does nothing when nobody sleeps. */
	wake(): void;
}>;

const longestTimerMs = 2 ** 31 - 1;

export const createNap = (clock: Clock): Nap => {
	let current: AbortController | undefined;
	return {
		sleep: (milliseconds = longestTimerMs) => {
			current = new AbortController();
			return clock.sleep(milliseconds, current.signal);
		},
		wake: () => current?.abort(),
	};
};
