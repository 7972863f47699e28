import type {Clock, DomainEvent, Signals} from '@signalbox/core';
import type {Logger} from 'pino';

/** Due work: what to do, and how often to look. A lost, late or doubled look does no harm. */
export type SweepTask = Readonly<{
	name: string;
	every_ms: number;
	/** Ends early when the signal aborts. @returns how many records it changed. */
	run(signal: AbortSignal): Promise<number>;
	/** After which events there may be something to do at once. */
	wakes?(event: DomainEvent): boolean;
}>;

export type SweepNeeds = Readonly<{
	clock: Clock;
	signals: Pick<Signals, 'subscribe'>;
	log: Logger;
	countSwept(task: string, count: number): void;
}>;

/** A running sweep. */
export type Sweep = Readonly<{
	/** Resolves once nothing runs any more. */
	stop(): Promise<void>;
}>;

type Wait = Readonly<{
	/** Until it is time to look, or something has come up since the last look. */
	next(): Promise<void>;
	end(): void;
}>;

const createWait = ({every_ms, wakes}: SweepTask, {clock, signals}: SweepNeeds, signal: AbortSignal): Wait => {
	let woken = new AbortController();
	const wake = () => woken.abort();
	const unsubscribe = signals.subscribe((event) => {
		if (wakes?.(event)) wake();
	});
	signal.addEventListener('abort', wake, {once: true});
	return {
		next: async () => {
			await clock.sleep(every_ms, woken.signal);
			woken = new AbortController();
		},
		end: unsubscribe,
	};
};

/** Looks after one task until the signal aborts: never twice at once, and an error costs no more than one look. */
const look = async (task: SweepTask, needs: SweepNeeds, signal: AbortSignal): Promise<void> => {
	const wait = createWait(task, needs, signal);
	while (!signal.aborted) {
		try {
			const count = await task.run(signal);
			if (count > 0) {
				needs.countSwept(task.name, count);
				needs.log.info({task: task.name, count}, 'due work done');
			}
		} catch (error) {
			needs.log.error({err: error, task: task.name}, 'due work failed');
		}
		await wait.next();
	}
	wait.end();
};

/** Starts one loop for each task. */
export const startSweep = (tasks: readonly SweepTask[], needs: SweepNeeds): Sweep => {
	const end = new AbortController();
	const loops = tasks.map((task) => look(task, needs, end.signal));
	return {
		stop: async () => {
			end.abort();
			await Promise.all(loops);
		},
	};
};
