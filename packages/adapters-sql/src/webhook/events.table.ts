import type {CompactTrace, EventStatus, NewEvent, ReferencingBytes} from '@signalbox/core';
import {compressedBytes} from '../compressed-bytes.ts';
import {type Codec, type Codecs, defineTable, instant, json, nullable, readBytes, text} from '../table.ts';

/** What is looked for in events: small, and of fixed meaning from the moment it came in. */
export type ReceivedEventRow = Omit<NewEvent, 'headers' | 'body' | 'processed' | 'trace'>;
export type EventRow = ReceivedEventRow & Readonly<{status: EventStatus}>;

const received: Codecs<ReceivedEventRow> = {
	id: text(),
	endpoint_id: text(),
	team_id: text(),
	user_id: text(),
	method: text(),
	path: text(),
	query: text(),
	source_ip: text(),
	replay_of: nullable(text()),
	created_at: instant,
};

export const receivedEvents = defineTable<ReceivedEventRow>('webhook_events', received);

/** `status` first: a tuple is that, and then the tuple of `receivedEvents`. */
export const webhookEvents = defineTable<EventRow>('webhook_events', {status: text(), ...received});

export const referencingBytes: Codec<ReferencingBytes> = {
	columns: (field) => [`${field}_references`, `${field}_bytes`],
	write: ({references, bytes: written}) => [JSON.stringify(references), written],
	read: ([references, read]) => ({references: JSON.parse(String(references)), bytes: readBytes(read)}),
};

/** What the sender sent, and what the pipeline made of it. */
export type ReceivedContentRow = Readonly<{
	id: string;
	headers: NewEvent['headers'];
	processed_headers: NewEvent['processed']['headers'];
	processed_body: NewEvent['processed']['body'];
	/** Null: purged. */
	body: Uint8Array | null;
}>;
export type ContentRow = ReceivedContentRow & Readonly<{trace: CompactTrace}>;

const withoutBody: Codecs<Omit<ReceivedContentRow, 'body'>> = {
	id: text(),
	headers: json(),
	processed_headers: nullable(json()),
	processed_body: nullable(referencingBytes),
};

export const contentsWithoutBody = defineTable('webhook_event_contents', withoutBody);

const content: Codecs<ReceivedContentRow> = {...withoutBody, body: nullable(compressedBytes)};

export const receivedContents = defineTable<ReceivedContentRow>('webhook_event_contents', content);

/** A tuple is the trace as JSON, that of `contentsWithoutBody`, and the body as it is kept. */
export const eventContents = defineTable<ContentRow>('webhook_event_contents', {trace: json(), ...content});

const shown: Codecs<Pick<ContentRow, 'id' | 'headers' | 'trace'>> = {
	id: content.id,
	headers: content.headers,
	trace: json(),
};

export const shownWithoutBody = defineTable('webhook_event_contents', shown);
/** What a list shows. */
export const shownContents = defineTable<Pick<ContentRow, 'id' | 'headers' | 'trace' | 'body'>>(
	'webhook_event_contents',
	{...shown, body: content.body},
);

/** What an attempt takes of an event, and of its content beside it. */
export const sentEvents = defineTable<Pick<EventRow, 'endpoint_id' | 'team_id' | 'user_id' | 'method'>>(
	'webhook_events',
	{
		endpoint_id: received.endpoint_id,
		team_id: received.team_id,
		user_id: received.user_id,
		method: received.method,
	},
);
