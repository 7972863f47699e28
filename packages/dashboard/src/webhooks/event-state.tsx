import type {WebhookEvent} from '@signalbox/client-sdk';
import {Pill, type Tone} from '../parts/pill.tsx';

export type EventStatus = WebhookEvent['delivery_status'];

const shown: Readonly<Record<EventStatus, readonly [Tone, string]>> = {
	pending: ['live', 'On its way'],
	retrying: ['warn', 'Trying again'],
	delivered: ['good', 'Delivered'],
	failed: ['bad', 'Failed'],
	filtered: ['idle', 'Filtered out'],
	duplicate: ['idle', 'Duplicate'],
	unmatched: ['idle', 'No rule matched'],
	pipeline_error: ['bad', 'A step failed'],
};

export const eventStatuses = Object.entries(shown).map(([value, [, label]]) => ({value, label}));

export const isEventStatus = (text: string | undefined): text is EventStatus => text !== undefined && text in shown;

export const EventState = ({status}: {status: EventStatus}) => {
	const [tone, word] = shown[status];
	return <Pill tone={tone}>{word}</Pill>;
};
