import {createParser} from 'eventsource-parser';
import {isResponse} from './judge-answer.ts';
import {parseJson, writeJson} from './parse-json.ts';

export type FoundResponse = Readonly<{response: Readonly<Record<string, unknown>>; text: string}>;

/** Reads along in a stream of events, and says which JSON-RPC responses became complete. */
export type EventWatch = Readonly<{
	/** The responses that the last byte of one of their events stands in this chunk for. Never throws. */
	feed(chunk: Buffer): readonly FoundResponse[];
	/** True once an event had an id: then a client can resume a stream that broke off. */
	isResumable(): boolean;
	/** True once an event was too large to read: from then on responses pass unseen. */
	isBlind(): boolean;
}>;

/** Most events are no response: they are told apart without being parsed. */
const mayBeResponse = (data: string): boolean => data.includes('"result"') || data.includes('"error"');

const responsesIn = (data: string): readonly FoundResponse[] => {
	if (!mayBeResponse(data)) return [];
	const value = parseJson(data);
	if (Array.isArray(value))
		return value.filter(isResponse).map((response) => ({response, text: writeJson(response) ?? data}));
	return isResponse(value) ? [{response: value, text: data}] : [];
};

/** @param limit largest event that is read; past it the stream still passes, unread. */
export const createEventWatch = (limit: number): EventWatch => {
	const decoder = new TextDecoder();
	let found: FoundResponse[] = [];
	let resumable = false;
	let blind = false;
	const parser = createParser({
		maxBufferSize: limit,
		onEvent: ({data, id}) => {
			if (id !== undefined) resumable = true;
			found.push(...responsesIn(data));
		},
		onError: ({type}) => {
			if (type === 'max-buffer-size-exceeded') blind = true;
		},
	});
	return {
		feed: (chunk) => {
			if (blind) return [];
			found = [];
			parser.feed(decoder.decode(chunk, {stream: true}));
			return found;
		},
		isResumable: () => resumable,
		isBlind: () => blind,
	};
};
