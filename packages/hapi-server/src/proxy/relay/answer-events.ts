import {createParser} from 'eventsource-parser';
import {parseJson, writeJson} from '../parse-json.ts';
import {isResponse} from './judge-answer.ts';

export type FoundResponse = Readonly<{response: Readonly<Record<string, unknown>>; text: string}>;

/** Reads along in a stream of events, and says which JSON-RPC responses became complete. */
export type EventWatch = Readonly<{
	/** The responses that the last byte of one of their events stands in this chunk for. Never throws. */
	feed(chunk: Buffer): readonly FoundResponse[];
	/** True once an event had an id: then a client can resume a stream that broke off. */
	isResumable(): boolean;
	/** True when an event passed, to its end, that was too large to be read: the response may have been in it. */
	mayHaveMissed(): boolean;
}>;

/** Most events are no response: they are told apart without being parsed, unless their keys may be written with escapes. */
const mayBeResponse = (data: string): boolean =>
	data.includes('"result"') || data.includes('"error"') || data.includes('\\u');

const responsesIn = (data: string): readonly FoundResponse[] => {
	if (!mayBeResponse(data)) return [];
	const value = parseJson(data);
	if (Array.isArray(value))
		return value.filter(isResponse).map((response) => ({response, text: writeJson(response) ?? data}));
	return isResponse(value) ? [{response: value, text: data}] : [];
};

const longestEnd = 4;
/** A blank line, in any of the ways to end a line. */
const endOfEvent = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)$/;

/** @param limit largest event that is read; past it the stream still passes, unread. */
export const createEventWatch = (limit: number): EventWatch => {
	const decoder = new TextDecoder();
	let found: FoundResponse[] = [];
	let resumable = false;
	let blind = false;
	let tail = '';
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
			found = [];
			if (!blind) parser.feed(decoder.decode(chunk, {stream: true}));
			if (blind) tail = `${tail}${chunk.toString('latin1', Math.max(0, chunk.length - longestEnd))}`.slice(-longestEnd);
			return found;
		},
		isResumable: () => resumable,
		mayHaveMissed: () => blind && endOfEvent.test(tail),
	};
};
