import {Readable} from 'node:stream';
import type {Request, ResponseObject, ResponseToolkit} from '@hapi/hapi';
import {type Caller, type Clock, type Core, DomainError, millisecondsOf} from '@signalbox/core';
import {presentedBy} from './authenticate.ts';
import type {Frame} from './define-route.ts';
import {requireApiScope} from './require-scope.ts';

/** Streams that one user may have open in this process. */
const mostOfUser = 20;
const lookEveryMs = 1000;
/** Without an event a comment keeps proxies from taking the connection for dead. Milliseconds. */
const heartbeatMs = 15_000;
/** Who may listen is asked again after so long, and before an event is sent after so long. Milliseconds. */
const recheckMs = {idle: 5000, beforeEvent: 1000};
/** A reader that takes nothing for so long is cut off, and goes on where it was when it comes back. Milliseconds. */
const stalledMs = 10_000;

/** Streams that are open. */
export type EventStreams = Readonly<{
	answer(
		exchange: Readonly<{request: Request; h: ResponseToolkit; caller: Caller}>,
		frames: (signal: AbortSignal) => AsyncIterable<Frame>,
	): ResponseObject;
	/** Ends all of them. */
	close(): void;
}>;

type Needs = Readonly<{authentication: Core['accounts']['authentication']; clock: Clock}>;

const textOf = ({id, event, data}: Frame): string => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Bytes to a reader who may be slow. */
const createPipe = (onClose: () => void) => {
	let drained: (() => void) | undefined;
	const readable = new Readable({
		highWaterMark: 64 * 1024,
		read: () => drained?.(),
		destroy: (error, done) => {
			drained?.();
			onClose();
			done(error);
		},
	});
	return {
		readable,
		/** Resolves when more may be sent. */
		send: async (text: string): Promise<void> => {
			if (readable.destroyed || readable.push(text)) return;
			await new Promise<void>((resolve) => {
				const cut = setTimeout(() => readable.destroy(), stalledMs);
				drained = () => {
					clearTimeout(cut);
					resolve();
				};
			});
			drained = undefined;
		},
		isWaiting: () => drained !== undefined,
	};
};

/** Whether the caller may still listen to what they began to listen to. */
const createRecheck = ({authentication, clock}: Needs, request: Request, caller: Caller) => {
	const ask = async (): Promise<boolean> => {
		try {
			const current = await authentication.authenticate(presentedBy(request));
			requireApiScope(current);
			return current.team_id === caller.team_id && current.user_id === caller.user_id;
		} catch (error) {
			// What cannot be asked is asked again.
			return error instanceof DomainError && error.kind === 'unavailable';
		}
	};
	let last = {at: millisecondsOf(clock.now()), verdict: Promise.resolve(true)};
	/** By an answer that is no older than that. */
	return (olderThan: number): Promise<boolean> => {
		const now = millisecondsOf(clock.now());
		if (now - last.at >= olderThan) last = {at: now, verdict: ask()};
		return last.verdict;
	};
};

const createPulse = ({clock}: Needs) => {
	let at = millisecondsOf(clock.now());
	return {
		beat: () => {
			at = millisecondsOf(clock.now());
		},
		isDue: () => millisecondsOf(clock.now()) - at >= heartbeatMs,
	};
};

type Started = Readonly<{readable: Readable; end: AbortController}>;

const start = (
	needs: Needs,
	{request, caller}: Readonly<{request: Request; caller: Caller}>,
	frames: (signal: AbortSignal) => AsyncIterable<Frame>,
): Started => {
	const end = new AbortController();
	const {readable, send, isWaiting} = createPipe(() => end.abort());
	const mayListen = createRecheck(needs, request, caller);
	const pulse = createPulse(needs);
	const look = async (): Promise<void> => {
		if (!(await mayListen(recheckMs.idle))) return end.abort();
		if (!pulse.isDue() || isWaiting()) return;
		pulse.beat();
		readable.push(': still here\n\n');
	};
	const looking = setInterval(() => void look(), lookEveryMs);
	const run = async (): Promise<void> => {
		for await (const frame of frames(end.signal)) {
			if (end.signal.aborted || !(await mayListen(recheckMs.beforeEvent))) break;
			pulse.beat();
			await send(textOf(frame));
		}
	};
	// Whoever listens comes back, and hears then what is wrong.
	void run()
		.catch(() => undefined)
		.finally(() => {
			clearInterval(looking);
			end.abort();
			if (!readable.destroyed) readable.push(null);
		});
	readable.push(': welcome\n\n');
	return {readable, end};
};

export const createEventStreams = (needs: Needs): EventStreams => {
	const open = new Map<AbortController, string>();
	let isClosed = false;
	const countOf = (user_id: string): number => [...open.values()].filter((each) => each === user_id).length;
	return {
		answer: ({request, h, caller}, frames) => {
			if (isClosed) throw new DomainError('service_unavailable');
			if (countOf(caller.user_id) >= mostOfUser) {
				const message = `At most ${mostOfUser} streams of one user may be open: close one first.`;
				throw new DomainError('rate_limited', {message, retryAfterSeconds: 10});
			}
			const {readable, end} = start(needs, {request, caller}, frames);
			open.set(end, caller.user_id);
			end.signal.addEventListener('abort', () => open.delete(end), {once: true});
			const response = h.response(readable).type('text/event-stream').header('x-accel-buffering', 'no');
			response.charset('');
			return response;
		},
		close: () => {
			isClosed = true;
			for (const end of open.keys()) end.abort();
		},
	};
};
