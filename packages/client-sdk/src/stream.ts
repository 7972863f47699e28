import {ApiError, apiErrorOf} from './api-error.ts';
import {urlOf} from './build-request.ts';
import type {LiveEvent} from './generated/types.gen.ts';
import {isPassing, retryAfterMs} from './retry-delay.ts';
import type {Fetch} from './sender.ts';
import type {Session} from './session.ts';
import type {Sleep} from './sleep.ts';

/**
 * What the stream says. `open`: from here on nothing is missing. `reset`: something was missed, so that lists are to be read
 * anew. `id` goes into `lastEventId` of a later stream.
 */
export type StreamMessage = Readonly<{id: string}> & (LiveEvent | Readonly<{type: 'open' | 'reset'}>);

export type StreamOptions = Readonly<{
	/** Only these types of events. Default: all. */
	types?: readonly LiveEvent['type'][];
	/** Goes on after that message. */
	lastEventId?: string;
	/** Ends the stream. */
	signal?: AbortSignal;
}>;

type Needs = Readonly<{
	baseUrl: string;
	apiKey?: string | undefined;
	teamId?: string | undefined;
	fetch: Fetch;
	session: Session;
	sleep: Sleep;
	/** 0 to 1. */
	random(): number;
}>;

const firstDelayMs = 250;
const longestDelayMs = 15_000;
/** The server says something every 15 seconds: who hears nothing for so long is cut off. */
const silentMs = 45_000;

type Connection = Readonly<{response: Response; end(): void; heard(): void}>;

const headersOf = (needs: Needs, token: string | undefined, lastEventId: string | undefined): Headers => {
	const headers = new Headers({accept: 'text/event-stream'});
	if (needs.apiKey !== undefined) headers.set('x-api-key', needs.apiKey);
	else if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
	if (needs.teamId !== undefined) headers.set('x-team-id', needs.teamId);
	if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
	return headers;
};

const connect = async (needs: Needs, {types, lastEventId, signal}: StreamOptions): Promise<Connection> => {
	const url = new URL(urlOf(needs.baseUrl, '/v1/stream'));
	if (types) url.searchParams.set('types', types.join(','));
	const silence = new AbortController();
	let timer = setTimeout(() => silence.abort(), silentMs);
	const heard = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => silence.abort(), silentMs);
	};
	const end = (): void => {
		clearTimeout(timer);
		silence.abort();
	};
	const ask = (token: string | undefined): Promise<Response> => {
		const both = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
		return needs.fetch(new Request(url, {headers: headersOf(needs, token, lastEventId)}), {signal: both});
	};
	try {
		const token = needs.apiKey === undefined ? await needs.session.accessToken() : undefined;
		const response = await ask(token);
		if (response.status !== 401 || token === undefined) return {response, end, heard};
		await response.body?.cancel();
		return {response: await ask(await needs.session.renew(token)), end, heard};
	} catch (error) {
		end();
		throw error;
	}
};

const messageOf = (block: string): StreamMessage | undefined => {
	const fields = new Map<string, string>();
	for (const line of block.split('\n')) {
		const colon = line.indexOf(':');
		if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
	}
	const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
	if (id === undefined || event === undefined || data === undefined) return undefined;
	return event === 'open' || event === 'reset' ? {id, type: event} : {id, ...(JSON.parse(data) as LiveEvent)};
};

async function* messagesOf({response, heard}: Connection): AsyncGenerator<StreamMessage> {
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	let rest = '';
	for (;;) {
		const read = await reader?.read();
		if (read === undefined || read.done) return;
		heard();
		const blocks = (rest + read.value).split('\n\n');
		rest = blocks.pop() ?? '';
		for (const message of blocks.map(messageOf)) if (message) yield message;
	}
}

const delayOf = ({random}: Needs, failed: number, asked: number | undefined): number =>
	asked ?? Math.min(firstDelayMs * 2 ** failed, longestDelayMs) * (0.5 + random() / 2);

/** One connection's messages; what breaks it is left to the next one. @throws ApiError for what trying again cannot help. */
async function* once(needs: Needs, options: StreamOptions): AsyncGenerator<StreamMessage, number | undefined> {
	let connection: Connection;
	try {
		connection = await connect(needs, options);
	} catch (error) {
		// A session that cannot be renewed for now can be later.
		if (error instanceof ApiError && !isPassing(error.status)) throw error;
		return undefined;
	}
	const {response, end} = connection;
	try {
		if (isPassing(response.status)) return retryAfterMs(response.headers.get('retry-after'), Date.now());
		if (!response.ok) throw await apiErrorOf('stream.open', response);
		const messages = messagesOf(connection);
		for (;;) {
			const next = await messages.next().catch(() => undefined);
			if (next === undefined || next.done) return undefined;
			yield next.value;
		}
	} finally {
		end();
	}
}

/** What happens, as it happens, over as many connections as it takes. */
export const createStream = (needs: Needs) =>
	async function* stream(options: StreamOptions = {}): AsyncGenerator<StreamMessage, void> {
		const signal = options.signal ?? new AbortController().signal;
		let {lastEventId} = options;
		let failed = 0;
		while (!signal.aborted) {
			const messages = once(needs, {...options, ...(lastEventId !== undefined && {lastEventId})});
			let asked: number | undefined;
			try {
				for (;;) {
					const next = await messages.next();
					asked = next.done ? next.value : undefined;
					if (next.done) break;
					lastEventId = next.value.id;
					failed = 0;
					yield next.value;
				}
			} finally {
				await messages.return(undefined);
			}
			await needs.sleep(delayOf(needs, failed, asked), signal).catch(() => undefined);
			failed += 1;
		}
	};
