import {decodeText} from '../../values/bytes-text.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {Changes, CompactTrace, PipelineTrace, Trace} from '../model/trace.ts';
import {shownHeaders} from './shown-headers.ts';
import {tracedBody} from './traced-body.ts';

const asReceived = ({headers, body}: Pick<WebhookMessage, 'headers' | 'body'>): PipelineTrace['result'] => ({
	headers: shownHeaders(headers, (text) => text),
	...tracedBody(decodeText(body)),
});

/** The mark of a body that was cut goes with that body. */
const changedBy = <T extends Changes>(before: PipelineTrace['result'], changes: T): PipelineTrace['result'] & T =>
	changes.body === undefined ? {...before, ...changes} : {headers: before.headers, ...changes, body: changes.body};

/** A trace as people read it, from what is kept of it and the webhook that was received. */
export const expandTrace = (
	{pipeline, routing}: CompactTrace,
	received: Pick<WebhookMessage, 'headers' | 'body'>,
): Trace => {
	const result = changedBy(asReceived(received), pipeline.result);
	return {
		pipeline: {...pipeline, result},
		routing: routing && {
			...routing,
			destinations: routing.destinations.map((destination) => changedBy(result, destination)),
		},
	};
};
