import {type Clock, type Instant, millisecondsOf, type Passage} from '@signalbox/core';
import type {McpRequest} from '../message.ts';
import type {Held} from './hold-call.ts';

/**
 * How long a round lasts, from the arrival of its request. Shorter than the 60 s after which clients, and the proxies
 * before them, give up on a silent request; and no shorter than needed, since clients count rounds: those of the official
 * SDK end a call after eleven requests, 440 s of them here, which is more than an approval waits unless told otherwise.
 */
const roundMs = 40_000;

/**
 * Keeps a client of the stateless era waiting for one round, in silence: its request is answered as if nothing had
 * happened if the decision falls meanwhile. Otherwise the round ends, as paused.
 */
export const holdRound = async (held: Held, started_at: Instant, clock: Clock): Promise<Passage> => {
	const decided = new AbortController();
	const deciding = held.passage.finally(() => decided.abort());
	const elapsed = millisecondsOf(clock.now()) - millisecondsOf(started_at);
	void clock.sleep(roundMs - Math.max(0, elapsed), decided.signal).then(held.pause);
	return await deciding;
};

/** What a client gets at the end of a round: nothing to fill in, only the state to come back with. */
export const pausedResult = ({id}: McpRequest, requestState: string): Buffer =>
	Buffer.from(JSON.stringify({jsonrpc: '2.0', id, result: {resultType: 'input_required', requestState}}));
