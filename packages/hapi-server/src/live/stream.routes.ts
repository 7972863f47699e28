import type {LiveFrame} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute, type Frame} from '../http/define-route.ts';
import {liveEventView, typesField} from './stream.views.ts';

/** Undefined for what another version of the server recorded in another form. */
const frameOf = (frame: LiveFrame): Frame | undefined => {
	if (frame.kind !== 'event') return {id: frame.seq, event: frame.kind, data: {}};
	const {type, occurred_at, data} = frame.event;
	const shown = liveEventView.safeParse({type, occurred_at, data});
	return shown.success ? {id: frame.seq, event: type, data: shown.data} : undefined;
};

const stream = defineRoute({
	method: 'GET',
	path: '/v1/stream',
	operationId: 'stream.open',
	summary: 'What happens in the active team, and to the caller, as it happens: Server-Sent Events',
	auth: 'caller',
	extension: true,
	query: z.strictObject({types: typesField}),
	replies: {200: liveEventView},
	frames: async function* ({core, caller, query, after, signal}) {
		for await (const found of core.live.stream.open(caller, {types: query.types, after, signal})) {
			const frame = frameOf(found);
			if (frame) yield frame;
		}
	},
	handler: () => Promise.reject(new Error('a stream is answered by its frames')),
});

export const streamRoutes = [stream];
