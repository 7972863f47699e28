import type {Clock, DomainEvent} from '@signalbox/core';

/** Milliseconds after an event in which others come with it: a burst is few rows. */
const gatherMs = 20;

/** Events of one row. What comes on top of them while they wait is lost, and told of. */
const mostEvents = 1000;

export type Outbox = Readonly<{
	add(event: DomainEvent): void;
	/** Writes what waits. */
	close(): Promise<void>;
}>;

/** @param write Writes a JSON array of events. What it rejects with goes to `onError`, and its events are lost. */
export const createOutbox = (
	write: (events: string) => Promise<void>,
	{clock, onError}: Readonly<{clock: Pick<Clock, 'sleep'>; onError(error: unknown): void}>,
): Outbox => {
	const closing = new AbortController();
	// Who is told the same twice in a moment knows no more than who is told once.
	let waiting = new Set<string>();
	let lost = 0;
	let writing: Promise<void> | undefined;
	const writeAll = async (): Promise<void> => {
		while (waiting.size > 0) {
			await clock.sleep(gatherMs, closing.signal);
			const events = [...waiting].join(',');
			waiting = new Set();
			await write(`[${events}]`).catch(onError);
			if (lost > 0) onError(new Error(`${lost} signals were lost: too many at once`));
			lost = 0;
		}
		writing = undefined;
	};
	return {
		add: (event) => {
			if (waiting.size < mostEvents) waiting.add(JSON.stringify(event));
			else lost += 1;
			writing ??= writeAll();
		},
		close: async () => {
			closing.abort();
			await writing;
		},
	};
};
