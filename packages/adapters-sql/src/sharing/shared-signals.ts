import {randomUUID} from 'node:crypto';
import type {Clock, DomainEvent, SharedSignals, Signals} from '@signalbox/core';
import {createInbox} from './inbox.ts';
import {createOutbox} from './outbox.ts';
import type {SignalLog} from './signal-log.ts';

export type SharedSignalsNeeds = Readonly<{
	/** Signals of this process, which nothing else publishes to. */
	local: Signals;
	/** `sharing.signalLog` of the database. */
	log: SignalLog;
	clock: Pick<Clock, 'sleep'>;
	/** Which events others are told of. Default: all. */
	crosses?: (event: DomainEvent) => boolean;
	/** How often what others wrote is looked for. Milliseconds, default 250. */
	lookEvery?: number;
	/** Told of each write and each look that failed; the next one may succeed. */
	onError(error: unknown): void;
}>;

/** Looks again and again until the signal aborts. */
const lookUntil = async (
	signal: AbortSignal,
	look: () => Promise<void>,
	{clock, lookEvery = 250, onError}: SharedSignalsNeeds,
): Promise<void> => {
	while (!signal.aborted) {
		await look().catch(onError);
		await clock.sleep(lookEvery, signal);
	}
};

/** Signals through a log in the database, which every process looks at: others hear within some 300 ms. */
export const createSharedSignals = (needs: SharedSignalsNeeds): SharedSignals => {
	const {local, log, crosses = () => true} = needs;
	const self = randomUUID();
	const outbox = createOutbox(async (events) => log.append(self, events), needs);
	const inbox = createInbox(log, ({origin, events}) => {
		if (origin !== self) for (const event of events) local.publish(event);
	});
	const end = new AbortController();
	let looking: Promise<void> | undefined;
	return {
		publish: (event) => {
			local.publish(event);
			if (crosses(event)) outbox.add(event);
		},
		subscribe: local.subscribe,
		start: async () => {
			await inbox.begin().catch(needs.onError);
			looking ??= lookUntil(end.signal, inbox.read, needs);
		},
		close: async () => {
			end.abort();
			await Promise.all([looking, outbox.close()]);
		},
	};
};
