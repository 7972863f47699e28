import {DomainError, isUnavailable, type ResolvedTarget} from '@signalbox/core';
import type {SealAnswer} from './hold/continuation.ts';
import {refusal} from './json-rpc-error.ts';
import type {ProxyContext, Visit} from './proxy-context.ts';
import type {CallRecord} from './relay/record-call.ts';
import {abandonCalls, refuseCalls} from './relay/refuse-calls.ts';
import type {Reply} from './relay/reply.ts';
import {upstreamRequestHeaders} from './upstream/request-headers.ts';
import {toldCause} from './upstream/told-cause.ts';
import {type UpstreamAnswer, UpstreamError} from './upstream/upstream.ts';
import {watchStream} from './upstream/watch-stream.ts';

/** What is sent on, and what is owed for it. */
export type Shipment = Readonly<{
	method: 'POST' | 'GET' | 'DELETE';
	body: Buffer | null;
	/** The requests in it; empty for notifications, responses, and requests without a body. */
	calls: readonly CallRecord[];
	reply: Reply;
	/** No limit to its silence: a stream that only speaks when something happens. */
	is_open_ended: boolean;
	/** Where it goes. Default: as the server's configuration resolves now. */
	target?: ResolvedTarget | undefined;
	/** What the answer goes through on its way back. Default: nothing. */
	sealAnswer?: SealAnswer;
	/** Called when not a byte of it left. */
	release(): Promise<void>;
}>;

type SentTo = Extract<ResolvedTarget, {ok: true}>;

type Addressed = Readonly<{shipment: Shipment; target: SentTo}>;

const send = (context: ProxyContext, visit: Visit, {shipment, target}: Addressed): Promise<UpstreamAnswer> => {
	const {server, exchange, forward_authorization} = visit;
	const rules = {
		forward_headers: server.forward_headers,
		upstream_headers: target.headers,
		forward_authorization,
		goes_to_us: context.isOwnAddress(target.url),
	};
	return context.upstream.send({
		url: target.url,
		method: shipment.method,
		headers: upstreamRequestHeaders(exchange.request.headers, rules),
		body: shipment.body,
		timeout_ms: shipment.is_open_ended ? 0 : context.settings.upstream_timeout_ms,
		waiter: exchange.waiter,
	});
};

const idOf = (calls: readonly CallRecord[]) => (calls.length === 1 ? (calls[0]?.id ?? null) : null);

const fail = async (visit: Visit, {calls, reply, release}: Shipment, error: UpstreamError): Promise<void> => {
	const {message, left} = error;
	if (!left) await release();
	if (error.failure === 'abandoned')
		return abandonCalls(reply, {calls, id: idOf(calls), departure: visit.exchange.departure(), message, left});
	const refused = refusal(error.failure === 'timeout' ? 504 : 502, message);
	await refuseCalls(reply, {calls, id: idOf(calls), refused});
};

const tooManyStreams = {
	...refusal(429, 'Too many streams of this server are open: close one, or try again later.'),
	retry_after_seconds: 30,
};

/** @throws whatever keeps it from being resolved, once the money for the call is given back: it does not leave. */
const resolveTarget = async (context: ProxyContext, {server}: Visit, {release}: Shipment): Promise<ResolvedTarget> => {
	try {
		return await context.core.mcp.servers.target(server);
	} catch (error) {
		await release();
		throw error;
	}
};

/** An answer that cannot be logged is not passed on. Told to try again, its client could have the call run twice. */
const unlogged = ({logOutage}: ProxyContext, error: unknown): unknown => {
	if (!isUnavailable(error)) return error;
	logOutage.begin();
	const message = 'The call was sent, and its answer could not be logged: see what it did before it is sent again.';
	return new DomainError('service_unavailable', {message, cause: error});
};

const relay = async (
	context: ProxyContext,
	{server}: Visit,
	[{calls, reply, sealAnswer}, answer]: readonly [Shipment, UpstreamAnswer],
): Promise<void> => {
	const readdressed = context.resourceMetadata.readdress(server, answer);
	try {
		return await reply.relay(sealAnswer === undefined ? readdressed : await sealAnswer(readdressed), calls);
	} catch (error) {
		throw unlogged(context, error);
	}
};

const sendAndRelay = async (context: ProxyContext, visit: Visit, shipment: Shipment): Promise<void> => {
	const {calls, reply, release} = shipment;
	const {server} = visit;
	const target =
		shipment.target ?? context.core.mcp.servers.fixedTarget(server) ?? (await resolveTarget(context, visit, shipment));
	try {
		if (target.ok) {
			const answer = await send(context, visit, {shipment, target});
			return await relay(context, visit, [shipment, answer]);
		}
		await release();
		await refuseCalls(reply, {calls, id: idOf(calls), refused: refusal(502, target.message)});
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		const {failure, message, cause} = error;
		if (failure !== 'abandoned')
			context.log.warn({mcp_server_id: server.id, failure, ...toldCause(server, cause)}, message);
		await fail(visit, shipment, error);
	}
};

const forwardStream = async (context: ProxyContext, visit: Visit, shipment: Shipment): Promise<void> => {
	const {calls, reply, release} = shipment;
	const leave = context.openStreams.enter(visit.server.id);
	if (leave !== undefined) {
		const ended = new AbortController();
		void watchStream(context, visit, ended.signal);
		return await sendAndRelay(context, visit, shipment).finally(() => {
			ended.abort();
			leave();
		});
	}
	await release();
	await refuseCalls(reply, {calls, id: idOf(calls), refused: tooManyStreams});
};

/** Sends a request on to its server, once, and the answer back. What goes wrong at the upstream is answered and logged. */
export const forward = (context: ProxyContext, visit: Visit, shipment: Shipment): Promise<void> =>
	shipment.is_open_ended ? forwardStream(context, visit, shipment) : sendAndRelay(context, visit, shipment);
