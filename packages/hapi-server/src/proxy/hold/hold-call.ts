import type {Admission, Approval, Clock, Passage} from '@signalbox/core';
import {type McpRequest, progressTokenOf} from '../message.ts';
import type {ClientStream} from '../relay/client-stream.ts';
import {eventOf} from '../relay/relay-events.ts';
import {openEventReply, type Reply} from '../relay/reply.ts';

export type Held = Extract<Admission, {outcome: 'held'}>;

export type Hold = Readonly<{
	held: Held;
	request: McpRequest;
	client: ClientStream;
	/** How to answer while no headers were sent. */
	plain: Reply;
	/** True when the client takes a stream of events. */
	accepts_events: boolean;
	/** Where people decide; it stands in the progress messages. */
	approval_url: string;
	limit: number;
}>;

/** A decision within it leaves no trace on the wire. */
const graceMs = 2_000;
const commentEveryMs = 15_000;
const progressEveryMs = 10_000;

const commentBeat = async ({client}: Hold, clock: Clock, decided: AbortSignal): Promise<void> => {
	while (true) {
		await clock.sleep(commentEveryMs, decided);
		if (decided.aborted) return;
		await client.write(': waiting for approval\n\n');
	}
};

/** Values rise towards zero, so that the upstream's own progress, once the call runs, still only rises. */
const progressEvent = (progressToken: string | number, beat: number, message: string): string =>
	eventOf(
		JSON.stringify({
			jsonrpc: '2.0',
			method: 'notifications/progress',
			params: {progressToken, progress: -1 / beat, message},
		}),
	);

const progressBeat = async (
	{client, request, approval_url}: Hold,
	clock: Clock,
	decided: AbortSignal,
): Promise<void> => {
	const token = progressTokenOf(request);
	if (token === undefined) return;
	for (let beat = 1; !decided.aborted; beat += 1) {
		await client.write(progressEvent(token, beat, `Waiting for a person to approve: ${approval_url}`));
		await clock.sleep(progressEveryMs, decided);
	}
};

const wait = async (hold: Hold, clock: Clock, decided: AbortSignal): Promise<Reply> => {
	await clock.sleep(graceMs, decided);
	if (decided.aborted || !hold.accepts_events) return hold.plain;
	const reply = openEventReply(hold.client, hold.limit);
	void commentBeat(hold, clock, decided);
	void progressBeat(hold, clock, decided);
	return reply;
};

/** How to answer a call that was held, and what came of it: also what failed belongs into a stream that is open by then. */
export type Decided = Readonly<{reply: Reply} & ({passage: Passage} | {error: unknown})>;

/** Keeps a client waiting, as long as it takes, until its call is decided. */
export const holdCall = async (hold: Hold, clock: Clock): Promise<Decided> => {
	const decided = new AbortController();
	const outcome = hold.held.passage.then(
		(passage) => ({passage}),
		(error: unknown) => ({error}),
	);
	const deciding = outcome.finally(() => decided.abort());
	const [settled, reply] = await Promise.all([deciding, wait(hold, clock, decided.signal)]);
	return {...settled, reply};
};

export const approvalUrl = (baseUrl: string, approval: Approval): string =>
	`${baseUrl.replace(/\/$/, '')}/approvals/${approval.id}`;
