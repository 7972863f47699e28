import type {LiveAudience, Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {knownForMs} from './listeners.ts';
import type {LiveEventType, NumberedLiveEvent} from './model/live-event.ts';
import type {Alarm} from './wake-ups.ts';

/** How long what happens is recorded for somebody who went away. Seconds. */
const resumeSeconds = 15 * 60;
/** Milliseconds between two extensions of that. */
const renewEveryMs = 60_000;
const readAtOnce = 200;
/** Beyond what every process may go by, for timers that are early. */
const marginMs = 100;

/** `open` and `reset` say from where on nothing is missing; after a `reset` something was, so that lists are to be read anew. */
export type LiveFrame =
	| Readonly<{kind: 'open' | 'reset'; seq: number}>
	| Readonly<{kind: 'event'; seq: number; event: NumberedLiveEvent}>;

export type StreamRequest = Readonly<{
	/** The number of the last frame that was seen, to go on after it. */
	after?: number | undefined;
	/** Undefined: all. */
	types?: readonly LiveEventType[] | undefined;
	signal: AbortSignal;
}>;

/** What happens in the caller's active team, and to themselves, as it happens. */
export type LiveStream = Readonly<{
	/** Ends when the signal aborts. What is not taken is not read. @throws service_unavailable */
	open(caller: Pick<Caller, 'team_id' | 'user_id'>, request: StreamRequest): AsyncIterable<LiveFrame>;
}>;

type Needs = Pick<Ports, 'liveEvents' | 'clock'> & Readonly<{alarmFor(audience: LiveAudience): Alarm}>;

type Begun = Readonly<{frame: Extract<LiveFrame, {kind: 'open' | 'reset'}>; seq: number}>;

const idsOf = ({team_id, user_id}: LiveAudience): readonly string[] => [team_id, user_id];

/** Where somebody begins who is new here: from when on every process surely records for them. */
const beginAnew = async (needs: Needs, audience: LiveAudience, signal: AbortSignal): Promise<number | undefined> => {
	await needs.clock.sleep(knownForMs + marginMs, signal);
	return signal.aborted ? undefined : needs.liveEvents.confirm(idsOf(audience));
};

const begin = async (
	needs: Needs,
	audience: LiveAudience,
	{after, signal}: StreamRequest,
): Promise<Begun | undefined> => {
	const since = await needs.liveEvents.listen(idsOf(audience), resumeSeconds);
	if (after !== undefined && since !== undefined && after >= since && (await isKept(needs, audience, after)))
		return {frame: {kind: 'open', seq: after}, seq: after};
	const seq =
		since === undefined ? await beginAnew(needs, audience, signal) : await needs.liveEvents.confirm(idsOf(audience));
	return seq === undefined ? undefined : {frame: {kind: after === undefined ? 'open' : 'reset', seq}, seq};
};

const isKept = async ({liveEvents}: Needs, audience: LiveAudience, seq: number): Promise<boolean> =>
	(await liveEvents.after(audience, seq, 1)) !== undefined;

/** Extends the time for which events are recorded. @returns whether they were all along. */
const createRenewal = ({liveEvents, clock}: Needs, audience: LiveAudience) => {
	let renewedAt = Date.parse(clock.now());
	return async (seq: number): Promise<boolean> => {
		const now = Date.parse(clock.now());
		if (now - renewedAt < renewEveryMs) return true;
		const since = await liveEvents.listen(idsOf(audience), resumeSeconds);
		renewedAt = now;
		return since !== undefined && since <= seq;
	};
};

/** Frames after a number, until some may be missing or the signal aborts. @returns the number of the last one. */
async function* follow(
	needs: Needs,
	audience: LiveAudience,
	{from, types, signal}: Pick<StreamRequest, 'types' | 'signal'> & Readonly<{from: number}>,
): AsyncGenerator<LiveFrame, number> {
	const alarm = needs.alarmFor(audience);
	const renew = createRenewal(needs, audience);
	let seq = from;
	try {
		while (!signal.aborted) {
			const rung = alarm.next();
			const events = (await renew(seq)) ? await needs.liveEvents.after(audience, seq, readAtOnce) : undefined;
			if (events === undefined) return seq;
			for (const event of events) {
				seq = event.seq;
				if (types === undefined || types.includes(event.type)) yield {kind: 'event', seq, event};
			}
			if (events.length < readAtOnce) await rung.wait(signal);
		}
		return seq;
	} finally {
		alarm.end();
	}
}

export const createLiveStream = (needs: Needs): LiveStream => ({
	async *open({team_id, user_id}, request) {
		const audience = {team_id, user_id};
		let {after} = request;
		while (!request.signal.aborted) {
			const begun = await begin(needs, audience, {...request, after});
			if (begun === undefined) continue;
			yield begun.frame;
			after = yield* follow(needs, audience, {...request, from: begun.seq});
		}
	},
});
