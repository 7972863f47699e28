import type {CallStatus} from '@signalbox/core';
import {isObject} from '../message.ts';

/** How a call went, as its row in the log says it. */
export type CallVerdict = Readonly<{status: CallStatus; error_message: string}>;

export const success: CallVerdict = {status: 'success', error_message: ''};

const longestMessage = 2_000;

export const failed = (message: string): CallVerdict => ({
	status: 'error',
	error_message: message.slice(0, longestMessage),
});

const textOf = (content: unknown): string =>
	Array.isArray(content)
		? content
				.filter(isObject)
				.map(({text}) => text)
				.filter((text) => typeof text === 'string')
				.join('\n')
		: '';

/** Judges a JSON-RPC response: an error, a tool's own `isError`, or a result. */
export const judgeResponse = (response: Readonly<Record<string, unknown>>): CallVerdict => {
	if ('error' in response) {
		const message = isObject(response.error) ? response.error.message : undefined;
		return failed(typeof message === 'string' && message !== '' ? message : 'The upstream answered with an error.');
	}
	const {result} = response;
	if (!isObject(result) || result.isError !== true) return success;
	return failed(textOf(result.content) || 'The tool reported an error.');
};

/** True for a JSON-RPC response, as opposed to a request or notification of the server. */
export const isResponse = (value: unknown): value is Readonly<Record<string, unknown>> =>
	isObject(value) && value.jsonrpc === '2.0' && !('method' in value) && ('result' in value || 'error' in value);

/** An upstream that answers a request with something that is no response to it. */
export const judgeHttp = (status: number): CallVerdict =>
	failed(status >= 300 ? `HTTP ${status}` : 'The upstream sent no response to this request.');
