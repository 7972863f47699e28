import type {IncomingMessage, ServerResponse} from 'node:http';
import {DomainError, type Reception} from '@signalbox/core';
import {renderError} from '../http/render-error.ts';
import {sandboxHeaders} from '../proxy/relay/response-headers.ts';

/** What a sender is answered. */
export type IngestReply = Readonly<{
	status: number;
	headers: Readonly<Record<string, string>>;
	body: string;
}>;

const json = {'content-type': 'application/json; charset=utf-8'};
const text = {'content-type': 'text/plain; charset=utf-8'};

const isJson = (body: string): boolean => {
	try {
		JSON.parse(body);
		return true;
	} catch {
		return false;
	}
};

/** @param error of any kind: what was not thrown on purpose is 500 and says nothing more. */
export const refusalReply = (error: unknown, request_id: string): IngestReply => {
	const {status, headers, body} = renderError(error, request_id);
	return {status, headers: {...headers, ...json}, body: JSON.stringify(body)};
};

const refusalOf = (reception: Exclude<Reception, {outcome: 'accepted' | 'handshake'}>): DomainError => {
	switch (reception.outcome) {
		case 'unknown':
			return new DomainError('resource_not_found', {message: 'There is no webhook endpoint at this address.'});
		case 'unauthorized':
			return new DomainError('authentication_required', {message: 'The sender of this webhook could not be verified.'});
		case 'over_limit':
			return new DomainError('rate_limited', {
				message: "The month's webhooks of this account are used up.",
				retryAfterSeconds: reception.retry_after_seconds,
			});
	}
};

/** What became of a webhook, as its sender reads it. */
export const receptionReply = (reception: Reception, request_id: string): IngestReply => {
	if (reception.outcome === 'handshake')
		return {status: 200, headers: {'content-type': reception.content_type}, body: reception.body};
	if (reception.outcome !== 'accepted') return refusalReply(refusalOf(reception), request_id);
	const {event_id, status, response} = reception;
	if (response === null) return {status: 202, headers: json, body: JSON.stringify({event_id, status})};
	return {status: response.status, headers: isJson(response.body) ? json : text, body: response.body};
};

/** Statuses whose answers have no body, whatever is said of it. */
const isBodiless = (status: number): boolean => status === 204 || status === 205;

/** Sends it, if anybody still waits. */
export const sendReply = (request: IncomingMessage, response: ServerResponse, reply: IngestReply): void => {
	if (response.destroyed || response.headersSent) return;
	const {status, headers, body} = reply;
	const bytes = Buffer.from(isBodiless(status) ? '' : body);
	response.writeHead(status, {
		...sandboxHeaders,
		...headers,
		...(status !== 204 && {'content-length': bytes.length}),
		// What was not read of the request would be taken for the next one.
		...(!request.complete && {connection: 'close'}),
	});
	response.end(bytes);
};
