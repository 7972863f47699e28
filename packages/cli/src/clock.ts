import {setTimeout as pause} from 'node:timers/promises';

/** Time as this program sees it. */
export type Clock = Readonly<{
	/** ISO 8601 in UTC. */
	now(): string;
	/** Milliseconds since some moment, for durations: whoever sets the clock of the machine does not change them. */
	elapsed(): number;
	/** Resolves after that many milliseconds, or at once when the signal aborts. Never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}>;

export const systemClock: Clock = {
	now: () => new Date().toISOString(),
	elapsed: () => performance.now(),
	sleep: (milliseconds, signal) => pause(milliseconds, undefined, signal && {signal}).catch(() => undefined),
};
