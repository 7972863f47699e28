import {firstCharacters} from '../../values/first-characters.ts';
import type {WebhookEvent} from '../model/event.ts';
import type {Trace} from '../model/trace.ts';
import {tracedBody} from './traced-body.ts';

/** For lists: an event with every body cut to its first characters. Without attempts. */
export const cutBodies = (event: WebhookEvent, body_chars: number): WebhookEvent => {
	const cut = <T extends Readonly<{body?: string | undefined}>>(part: T): T =>
		part.body === undefined ? part : {...part, ...tracedBody(part.body, body_chars)};
	const cutTrace = ({pipeline, routing}: Trace): Trace => ({
		pipeline: {...pipeline, steps: pipeline.steps.map(cut), result: cut(pipeline.result)},
		routing: routing && {...routing, destinations: routing.destinations.map(cut)},
	});
	const {body, response_body} = event;
	return {
		...event,
		body: firstCharacters(body, body_chars),
		response_body: response_body === null ? null : firstCharacters(response_body, body_chars),
		trace: cutTrace(event.trace),
		deliveries: event.deliveries.map((delivery) => ({...delivery, attempts: []})),
	};
};
