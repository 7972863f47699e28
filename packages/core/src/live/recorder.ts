import type {Ports} from '../ports/index.ts';
import type {Instant} from '../values/instant.ts';
import type {Listeners} from './listeners.ts';
import type {LiveEvent} from './model/live-event.ts';
import type {News} from './news.ts';

/** Milliseconds after some news in which others come with it. */
const gatherMs = 40;
/** News that wait at once. What comes on top of them is lost, and whoever listens is told to begin anew. */
const mostWaiting = 10_000;
/** Looked up at once. */
const inParallel = 20;
const retryMs = 500;

/** Records what happens in this process for those who listen, off the way of whoever tells it. */
export type Recorder = Readonly<{
	/** Costs a look into a set where nobody listens. Never throws. */
	tell(news: News): void;
	/** Records what waits. What cannot be recorded any more is given up. */
	close(): Promise<void>;
}>;

type Needs = Pick<Ports, 'liveEvents' | 'signals' | 'clock'> & Readonly<{listeners: Pick<Listeners, 'hears'>}>;

type Waiting = Readonly<{news: News; occurred_at: Instant}>;

const eventOf = async ({news: {type, team_id, user_id, data}, occurred_at}: Waiting): Promise<LiveEvent[]> => {
	const told = await data();
	return told === undefined ? [] : [{type, team_id, user_id, data: told, occurred_at}];
};

const eventsOf = async (batch: readonly Waiting[]): Promise<readonly LiveEvent[]> => {
	const events: LiveEvent[] = [];
	for (let at = 0; at < batch.length; at += inParallel)
		events.push(...(await Promise.all(batch.slice(at, at + inParallel).map(eventOf))).flat());
	return events;
};

const idsOf = (events: readonly LiveEvent[]): readonly string[] => [
	...new Set(events.flatMap(({team_id, user_id}) => [team_id, user_id]).filter((id) => id !== null)),
];

export const createRecorder = ({liveEvents, signals, clock, listeners}: Needs): Recorder => {
	const closing = new AbortController();
	let waiting: Waiting[] = [];
	let lost = false;
	let recording: Promise<void> | undefined;
	/** Until it is done: an outage of the store costs nobody an event. */
	const insist = async (work: () => Promise<void>): Promise<void> => {
		for (;;) {
			try {
				return await work();
			} catch {
				if (closing.signal.aborted) return;
				await clock.sleep(retryMs, closing.signal);
			}
		}
	};
	const record = async (batch: readonly Waiting[]): Promise<void> => {
		const events = await eventsOf(batch);
		await liveEvents.append(events);
		signals.publish({type: 'live.recorded', ids: idsOf(events)});
	};
	const recordAll = async (): Promise<void> => {
		while (waiting.length > 0) {
			await clock.sleep(gatherMs, closing.signal);
			const batch = waiting;
			waiting = [];
			await insist(() => record(batch));
			if (!lost) continue;
			lost = false;
			await insist(liveEvents.forget);
		}
		recording = undefined;
	};
	return {
		tell: (news) => {
			if (!listeners.hears(news) || closing.signal.aborted) return;
			if (waiting.length < mostWaiting) waiting.push({news, occurred_at: clock.now()});
			else lost = true;
			recording ??= recordAll();
		},
		close: async () => {
			closing.abort();
			await recording;
		},
	};
};
