import {signal} from '@preact/signals';
import type {WebhookEvent, WebhookSample} from '@signalbox/client-sdk';
import {linesOfPairs, pairsOf} from '../parts/line-pairs.ts';

/** A webhook to try an endpoint with, as it is written. */
export type SampleTexts = Readonly<{method: string; headers: string; body: string}>;

const first: SampleTexts = {
	method: 'POST',
	headers: 'Content-Type: application/json',
	body: '{\n  "type": "order.paid",\n  "order": {"id": 7, "status": "paid"},\n  "customer": {"email": "ada@example.com"}\n}',
};

/** By endpoint: the pages of one share it. */
const samples = signal<ReadonlyMap<string, SampleTexts>>(new Map());

export const sampleOf = (endpointId: string): SampleTexts => samples.value.get(endpointId) ?? first;

export const writeSample = (endpointId: string, change: Partial<SampleTexts>): void => {
	samples.value = new Map([...samples.peek(), [endpointId, {...sampleOf(endpointId), ...change}]]);
};

const isPretty = (body: string): boolean => body.includes('\n');

const laidOut = (body: string): string => {
	try {
		return isPretty(body) ? body : JSON.stringify(JSON.parse(body), undefined, 2);
	} catch {
		return body;
	}
};

/** Headers that say how a message came, not what it says. */
const ofTheConnection = /^(host|connection|content-length|accept|accept-.*|user-agent|sec-.*)$/i;

/** What came in, to be tried again in other ways. */
export const sampleFrom = ({method, headers, body}: WebhookEvent): SampleTexts => ({
	method,
	headers: linesOfPairs(
		Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.test(name))),
		': ',
	),
	body: laidOut(body),
});

export const asSent = ({method, headers, body}: SampleTexts): WebhookSample => ({
	...(method !== '' && {method}),
	headers: pairsOf(headers, ':'),
	body,
});
