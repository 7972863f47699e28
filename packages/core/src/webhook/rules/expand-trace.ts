import {decodeText} from '../../values/bytes-text.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {CompactTrace, PipelineTrace, Trace} from '../model/trace.ts';
import {shownHeaders} from './shown-headers.ts';

const asReceived = ({headers, body}: Pick<WebhookMessage, 'headers' | 'body'>): PipelineTrace['result'] => ({
	headers: shownHeaders(headers, (text) => text),
	body: decodeText(body),
});

/** A trace as people read it, from what is kept of it and the webhook that was received. */
export const expandTrace = (
	{pipeline, routing}: CompactTrace,
	received: Pick<WebhookMessage, 'headers' | 'body'>,
): Trace => {
	const result = {...asReceived(received), ...pipeline.result};
	return {
		pipeline: {...pipeline, result},
		routing: routing && {
			...routing,
			destinations: routing.destinations.map((destination) => ({...result, ...destination})),
		},
	};
};
