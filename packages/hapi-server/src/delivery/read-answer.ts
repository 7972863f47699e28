import type {IncomingHttpHeaders} from 'node:http';
import type {DeliveryAnswer, DeliveryErrorCode, DeliveryFailure} from '@signalbox/core';
import type {Dispatcher} from 'undici';
import {failureCodeOf} from './failure-code.ts';

/** Most of an answer that is kept. Bytes. */
const keptBytes = 64 * 1024;

/** A well-behaved destination sends none or one. */
const mostInterimAnswers = 20;

export type AnswerReader = Readonly<{
	/** What undici tells of the exchange. Called from within its parser, so nothing in it may throw. */
	handler: Dispatcher.DispatchHandler;
	/** Ends the exchange from this side, if it has not ended. */
	fail(error_code: DeliveryErrorCode): void;
	/** Cuts the connection, if the exchange has not ended. */
	cut(): void;
}>;

const textOf = (value: string | string[] | undefined): string =>
	Array.isArray(value) ? value.join(', ') : (value ?? '');

const recordOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)]));

type Begun = Readonly<{status_code: number; headers: IncomingHttpHeaders}>;

/**
 * Reads one answer up to what is kept of it, then drops the connection: a destination that never stops sending ends like
 * one that did. Nothing is decompressed.
 * @param settle Called once.
 */
export const createAnswerReader = (settle: (ended: DeliveryAnswer | DeliveryFailure) => void): AnswerReader => {
	let control: Dispatcher.DispatchController | undefined;
	let begun: Begun | undefined;
	let hasEnded = false;
	let interim = 0;
	let size = 0;
	const chunks: Buffer[] = [];

	const answer = (): DeliveryAnswer | null =>
		begun === undefined
			? null
			: {
					status_code: begun.status_code,
					headers: recordOf(begun.headers),
					body: Buffer.concat(chunks).subarray(0, keptBytes),
				};
	const end = (error_code: DeliveryErrorCode | undefined) => {
		if (hasEnded) return;
		hasEnded = true;
		const come = answer();
		settle(error_code === undefined && come !== null ? come : {error_code: error_code ?? 'bad_answer', answer: come});
	};
	const cut = () => {
		hasEnded = true;
		control?.abort(new Error('cut off'));
	};
	const fail = (error_code: DeliveryErrorCode) => {
		end(error_code);
		cut();
	};
	return {
		fail,
		cut,
		handler: {
			onRequestStart: (controller) => {
				control = controller;
				if (hasEnded) cut();
			},
			onResponseStart: (_controller, status_code, headers) => {
				if (status_code >= 200) begun = {status_code, headers};
				else if (++interim > mostInterimAnswers) fail('bad_answer');
			},
			onResponseData: (_controller, chunk) => {
				chunks.push(chunk);
				size += chunk.length;
				if (size <= keptBytes) return;
				end(undefined);
				cut();
			},
			onResponseEnd: () => end(undefined),
			onResponseError: (_controller, error) => end(failureCodeOf(error)),
		},
	};
};
