import type {IncomingHttpHeaders} from 'node:http';
import {Agent, type Dispatcher, errors} from 'undici';
import type {AddressGuard} from '../../outbound/address-guard.ts';
import {createFindAddresses} from '../../outbound/find-addresses.ts';
import {BlockedAddressError, createGuardedConnector} from '../../outbound/ssrf-guard.ts';
import {isEncoded} from '../relay/response-headers.ts';
import type {Waiter} from '../waiter.ts';
import {type ChunkQueue, createChunkQueue, type QueueObserver} from './chunk-queue.ts';

type UpstreamRequest = Readonly<{
	url: URL;
	method: 'POST' | 'GET' | 'DELETE';
	/** Names and values in turn, as undici takes them without copying. */
	headers: string[];
	body: Buffer | null;
	/** Longest wait for headers, and longest silence within the answer; 0 is no limit. */
	timeout_ms: number;
	/** Whose leaving ends it. */
	waiter: Waiter;
}>;

/** An upstream's answer while it arrives. Iterating the body rejects with an `UpstreamError` when it breaks off. */
export type UpstreamAnswer = Readonly<{
	status: number;
	headers: IncomingHttpHeaders;
	body: AsyncIterable<Buffer> & Pick<ChunkQueue, 'takeWhole'>;
}>;

export type UpstreamFailure = 'unreachable' | 'blocked' | 'timeout' | 'broken' | 'encoded' | 'oversized' | 'abandoned';

/** Why there is no answer, or no more of it. Messages never hold an address, a header or a body. */
export class UpstreamError extends Error {
	override readonly name = 'UpstreamError';
	readonly failure: UpstreamFailure;
	/** False when not a byte of the request can have reached the upstream. */
	readonly left: boolean;
	constructor(failure: UpstreamFailure, left: boolean, cause?: unknown) {
		super(messages[failure], {cause});
		this.failure = failure;
		this.left = left;
	}
}

const messages: Readonly<Record<UpstreamFailure, string>> = {
	unreachable: 'The upstream could not be reached.',
	blocked: 'The address of the upstream is not allowed.',
	timeout: 'The upstream did not answer in time.',
	broken: 'The upstream broke off its answer.',
	encoded: 'The upstream compressed its answer although it was asked not to.',
	oversized: 'The answer of the upstream is too large to be passed on into an open stream.',
	abandoned: 'The client went away before the answer was complete.',
};

const failureOf = (error: Error, left: boolean): UpstreamFailure => {
	if (error instanceof BlockedAddressError) return 'blocked';
	if (
		error instanceof errors.ConnectTimeoutError ||
		error instanceof errors.HeadersTimeoutError ||
		error instanceof errors.BodyTimeoutError
	)
		return 'timeout';
	return left ? 'broken' : 'unreachable';
};

/** Enough to keep a fast upstream busy; past it the upstream's socket is not read until the client caught up. */
const queuedBytes = 64 * 1024;

/** A well-behaved upstream sends one or two. */
const mostInterimAnswers = 20;

/** Judges answers of status 1xx: undici waits anew for headers after each, so that an upstream could make us wait forever. */
const createInterimWatch = (timeout_ms: number): (() => UpstreamError | undefined) => {
	let count = 0;
	let first = 0;
	return () => {
		count += 1;
		first ||= performance.now();
		if (timeout_ms > 0 && performance.now() - first > timeout_ms) return new UpstreamError('timeout', true);
		return count > mostInterimAnswers ? new UpstreamError('broken', true) : undefined;
	};
};

type Settle = Readonly<{resolve(answer: UpstreamAnswer): void; reject(error: UpstreamError): void}>;

/** Reads one answer. Its methods are called by undici from within its parser, so none of them may throw. */
class AnswerReader implements Dispatcher.DispatchHandler, QueueObserver {
	readonly #waiter: Waiter;
	readonly #timeout_ms: number;
	readonly #settle: Settle;
	#waited: (() => UpstreamError | undefined) | undefined;
	#control: Dispatcher.DispatchController | undefined;
	#body: ChunkQueue | undefined;

	constructor({waiter, timeout_ms}: Pick<UpstreamRequest, 'waiter' | 'timeout_ms'>, settle: Settle) {
		this.#waiter = waiter;
		this.#timeout_ms = timeout_ms;
		this.#settle = settle;
		waiter.onLeave(() => this.onAbandoned());
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#control = controller;
		if (this.#waiter.isGone()) controller.abort(new UpstreamError('abandoned', false));
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
		if (status < 200) this.#judgeInterim(controller);
		else if (isEncoded(headers)) controller.abort(new UpstreamError('encoded', true));
		else {
			this.#body = createChunkQueue(this);
			this.#settle.resolve({status, headers, body: this.#body});
		}
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		this.#body?.push(chunk);
		if (this.#body !== undefined && this.#body.size() > queuedBytes) controller.pause();
	}

	onResponseEnd(): void {
		this.#waiter.onLeave(undefined);
		this.#body?.end();
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		const left = this.#control !== undefined;
		this.#fail(error instanceof UpstreamError ? error : new UpstreamError(failureOf(error, left), left, error));
	}

	onEmpty(): void {
		this.#control?.resume();
	}

	onAbandoned(): void {
		const error = new UpstreamError('abandoned', this.#control !== undefined);
		this.#fail(error);
		this.#control?.abort(error);
	}

	#judgeInterim(controller: Dispatcher.DispatchController): void {
		this.#waited ??= createInterimWatch(this.#timeout_ms);
		const error = this.#waited();
		if (error !== undefined) controller.abort(error);
	}

	#fail(error: UpstreamError): void {
		this.#waiter.onLeave(undefined);
		if (this.#body === undefined) this.#settle.reject(error);
		else this.#body.fail(error);
	}
}

/** Sends requests to MCP servers: pooled HTTP/1.1 connections, no redirects followed, no retries, no decompression. */
export type Upstream = Readonly<{
	/** @throws UpstreamError when there are no headers. */
	send(request: UpstreamRequest): Promise<UpstreamAnswer>;
	/** Cuts what is on its way. */
	close(): Promise<void>;
}>;

type Address = Readonly<{origin: string; path: string}>;

/** What of a URL goes into a request. Servers keep their URLs for as long as they do not change, and reading one takes 1 us. */
const createAddressBook = (): ((url: URL) => Address) => {
	const known = new WeakMap<URL, Address>();
	return (url) => {
		const address = known.get(url) ?? {origin: url.origin, path: url.pathname + url.search};
		known.set(url, address);
		return address;
	};
};

export const createUpstream = (guard: AddressGuard, connectTimeoutMs: number): Upstream => {
	const connect = createGuardedConnector(guard, connectTimeoutMs, createFindAddresses());
	const agent = new Agent({connect, allowH2: false});
	const addressOf = createAddressBook();
	return {
		send: ({url, method, headers, body, timeout_ms, waiter}) =>
			new Promise((resolve, reject) => {
				if (waiter.isGone()) return reject(new UpstreamError('abandoned', false));
				const {origin, path} = addressOf(url);
				const options = {origin, path, method, headers, body, headersTimeout: timeout_ms, bodyTimeout: timeout_ms};
				agent.dispatch(options, new AnswerReader({waiter, timeout_ms}, {resolve, reject}));
			}),
		close: () => agent.destroy(),
	};
};
