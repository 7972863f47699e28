import {createManualClock} from '@signalbox/core/testing';
import type {Clock} from '../src/clock.ts';

/** A clock that a test moves, and that somebody sets meanwhile to another time, which moves nothing else. */
export type SettableClock = Clock &
	Readonly<{advance(milliseconds: number): Promise<void>; step(milliseconds: number): void}>;

export const createSettableClock = (): SettableClock => {
	const {now, sleep, advance} = createManualClock();
	let stepped = 0;
	const elapsed = (): number => Date.parse(now());
	return {
		...{sleep, advance, elapsed},
		now: () => new Date(elapsed() + stepped).toISOString(),
		step: (milliseconds) => {
			stepped += milliseconds;
		},
	};
};
