import type {Clock} from '../ports/index.ts';
import {type Instant, instantOf, millisecondsOf} from '../values/instant.ts';
import {builtAt} from './builders/identity.ts';

/** A clock that only moves when it is told to. */
export type ManualClock = Clock &
	Readonly<{
		/**
		 * Moves forward, stopping at each sleep that falls due on the way, so that what wakes sees its own time and may
		 * sleep again. Resolves once everything that woke has run up to its next wait.
		 */
		advance(milliseconds: number): Promise<void>;
		/** Jumps, also backwards; the time has changed when this returns. Resolves as `advance` does. */
		set(instant: Instant): Promise<void>;
	}>;

type Sleeper = Readonly<{due: number; wake: () => void}>;

const createSleepers = () => {
	const sleepers = new Set<Sleeper>();
	return {
		add: (due: number, signal: AbortSignal | undefined) =>
			new Promise<void>((resolve) => {
				const wake = () => {
					sleepers.delete(sleeper);
					signal?.removeEventListener('abort', wake);
					resolve();
				};
				const sleeper: Sleeper = {due, wake};
				sleepers.add(sleeper);
				signal?.addEventListener('abort', wake);
			}),
		/** The one due first, if it is due by `time`; of equal ones the one that fell asleep first. */
		next: (time: number): Sleeper | undefined => {
			let first: Sleeper | undefined;
			for (const sleeper of sleepers) {
				if (sleeper.due <= time && (first === undefined || sleeper.due < first.due)) first = sleeper;
			}
			return first;
		},
	};
};

/** Lets every promise that can settle without more input settle. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export const createManualClock = (start: Instant = builtAt): ManualClock => {
	const sleepers = createSleepers();
	let time = millisecondsOf(start);

	const advanceTo = async (target: number): Promise<void> => {
		for (let sleeper = sleepers.next(target); sleeper !== undefined; sleeper = sleepers.next(target)) {
			time = Math.max(time, sleeper.due);
			sleeper.wake();
			await settled();
		}
		time = Math.max(time, target);
		await settled();
	};

	return {
		now: () => instantOf(time),
		sleep: async (milliseconds, signal) => {
			if (milliseconds <= 0 || signal?.aborted) return;
			await sleepers.add(time + milliseconds, signal);
		},
		advance: (milliseconds) => advanceTo(time + milliseconds),
		set: (instant) => {
			time = millisecondsOf(instant);
			return advanceTo(time);
		},
	};
};
