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

/** What has come of an answer. */
const createCapture = () => {
	let begun: Readonly<{status_code: number; headers: IncomingHttpHeaders}> | undefined;
	const chunks: Buffer[] = [];
	let size = 0;
	return {
		begin: (status_code: number, headers: IncomingHttpHeaders) => {
			begun = {status_code, headers};
		},
		/** @returns false when it is more than what is kept. */
		add: (chunk: Buffer): boolean => {
			chunks.push(chunk);
			size += chunk.length;
			return size <= keptBytes;
		},
		answer: (): DeliveryAnswer | null => {
			if (begun === undefined) return null;
			const {status_code, headers} = begun;
			return {status_code, headers: recordOf(headers), body: Buffer.concat(chunks).subarray(0, keptBytes)};
		},
	};
};

/**
 * Reads one answer up to what is kept of it, then drops the connection: a destination that never stops sending ends like
 * one that did. Nothing is decompressed.
 * @param settle Called once.
 */
export const createAnswerReader = (settle: (ended: DeliveryAnswer | DeliveryFailure) => void): AnswerReader => {
	const capture = createCapture();
	let control: Dispatcher.DispatchController | undefined;
	let hasEnded = false;
	let interim = 0;

	const end = (error_code?: DeliveryErrorCode) => {
		if (hasEnded) return;
		hasEnded = true;
		const answer = capture.answer();
		settle(error_code === undefined && answer !== null ? answer : {error_code: error_code ?? 'bad_answer', answer});
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
				if (status_code >= 200) capture.begin(status_code, headers);
				else if (++interim > mostInterimAnswers) fail('bad_answer');
			},
			onResponseData: (_controller, chunk) => {
				if (capture.add(chunk)) return;
				end();
				cut();
			},
			onResponseEnd: () => end(),
			onResponseError: (_controller, error) => end(failureCodeOf(error)),
		},
	};
};
