import type {RateVerdict} from '@signalbox/core';
import {createBodyReader, discard} from '../bodies/create-body-reader.ts';
import {forward} from './forward.ts';
import {judgeBody, requestsOf} from './gate/body-gate.ts';
import {bodyRefusal, unsupportedMediaType} from './gate/body-refusals.ts';
import {admitToolCall, type Ticket} from './hold/admit-tool-call.ts';
import {type Refusal, refusal} from './json-rpc-error.ts';
import {type McpRequest, type Message, toolNameOf} from './message.ts';
import type {ProxyContext, Visit} from './proxy-context.ts';
import {answerFailure} from './relay/answer-failure.ts';
import type {CallRecord} from './relay/record-call.ts';
import {refuseCalls} from './relay/refuse-calls.ts';
import {createPlainReply, type Reply} from './relay/reply.ts';

/** A POST whose body passed the gate. */
type Post = Readonly<{
	visit: Visit;
	bytes: Buffer;
	arguments_bytes: Uint8Array;
	messages: readonly Message[];
	requests: readonly McpRequest[];
	calls: readonly CallRecord[];
	plain: Reply;
}>;

/** Within a batch there are no bytes of one request alone. */
const writeAnew = ({id, method, params}: McpRequest): Buffer =>
	Buffer.from(JSON.stringify({jsonrpc: '2.0', id, method, params}));

type Body = Pick<Post, 'bytes' | 'plain'>;

type Read = Readonly<{bytes: Buffer; messages: readonly Message[]; requests: readonly McpRequest[]}>;

const beginCalls = ({recorder}: ProxyContext, visit: Visit, {bytes, messages, requests}: Read): readonly CallRecord[] =>
	requests.map((request) => {
		const own = messages.length === 1 ? bytes : writeAnew(request);
		return recorder.begin(visit.exchange, visit.server, {request, bytes: own});
	});

const refusalBy = (verdict: RateVerdict): Refusal | undefined =>
	verdict.allowed
		? undefined
		: {
				...refusal(429, 'Too many calls to this server: wait, then try again.'),
				retry_after_seconds: Math.max(1, verdict.retry_after_seconds),
			};

/** Takes one from the server's allowance for each request. Undefined when all of them may pass. */
const rateRefusal = (
	{ports}: ProxyContext,
	{server}: Visit,
	count: number,
): Refusal | undefined | Promise<Refusal | undefined> => {
	const {requests_per_minute: per_minute, burst = 0} = server.rate_limit_config;
	if (per_minute === undefined || count === 0) return undefined;
	const take = () => ports.rateLimiter.take(`mcp:${server.id}`, {per_minute, burst});
	const verdict = take();
	if (count === 1 && !(verdict instanceof Promise)) return refusalBy(verdict);
	return takeRest(verdict, take, count - 1);
};

const takeRest = async (
	first: RateVerdict | Promise<RateVerdict>,
	take: () => RateVerdict | Promise<RateVerdict>,
	count: number,
): Promise<Refusal | undefined> => {
	let refused = refusalBy(await first);
	for (let taken = 0; taken < count && refused === undefined; taken += 1) refused = refusalBy(await take());
	return refused;
};

const nothingOwed = async (): Promise<void> => {};

const freeTicket = (plain: Reply): Ticket => ({reply: plain, target: undefined, release: nothingOwed});

const admit = (context: ProxyContext, post: Post): Ticket | Promise<Ticket | undefined> => {
	const {visit, bytes, requests, calls, plain, arguments_bytes} = post;
	const [request] = requests;
	const [call] = calls;
	const tool_name = request && toolNameOf(request);
	if (post.messages.length !== 1 || !request || !call || tool_name === undefined) return freeTicket(plain);
	const {server} = visit;
	if (context.core.mcp.gate.isFree({server, tool_name, request_state: request.params?.requestState}))
		return freeTicket(plain);
	const limit = context.settings.max_body_bytes;
	return admitToolCall(context, {visit, request, tool_name, bytes, arguments_bytes, call, limit, plain});
};

const isSubscription = ({method}: McpRequest): boolean => method === 'subscriptions/listen';

const idOf = ({requests}: Post) => (requests.length === 1 ? (requests[0]?.id ?? null) : null);

const pass = async (context: ProxyContext, post: Post): Promise<void> => {
	const {visit, bytes, calls, plain, requests} = post;
	let reply = plain;
	try {
		const admitting = admit(context, post);
		const ticket = admitting instanceof Promise ? await admitting : admitting;
		if (ticket === undefined) return;
		reply = ticket.reply;
		const is_open_ended = requests.some(isSubscription);
		await forward(context, visit, {method: 'POST', body: bytes, calls, is_open_ended, ...ticket});
	} catch (error) {
		await answerFailure(context, visit, {reply, calls, id: idOf(post), error});
	}
};

const notLogged = {
	...refusal(503, 'Calls cannot be logged now, and none is sent on: try again soon.'),
	retry_after_seconds: 1,
};

/** That it is refused is logged, too: once that works, the next call is sent on. */
const refuseUnlogged = async (context: ProxyContext, post: Post): Promise<void> => {
	const {visit, calls, plain} = post;
	try {
		await refuseCalls(plain, {calls, id: idOf(post), refused: notLogged});
		context.logOutage.end();
	} catch (error) {
		await answerFailure(context, visit, {reply: plain, calls, id: idOf(post), error});
	}
};

const passUnless = (context: ProxyContext, post: Post, refused: Refusal | undefined): void | Promise<void> => {
	const {visit, calls, messages, plain} = post;
	if (refused !== undefined) return refuseCalls(plain, {calls, id: idOf(post), refused});
	const [message] = messages;
	if (message !== undefined && messages.length === 1 && context.heldCalls.cancel(visit, message))
		return plain.dismiss();
	if (calls.length > 0 && context.logOutage.isOn()) return refuseUnlogged(context, post);
	return pass(context, post);
};

const limit = (context: ProxyContext, post: Post): void | Promise<void> => {
	const refused = rateRefusal(context, post.visit, post.calls.length);
	return refused instanceof Promise
		? refused.then((found) => passUnless(context, post, found))
		: passUnless(context, post, refused);
};

/** Judges a body that is here, and what passes goes on. */
const serveBody = (context: ProxyContext, visit: Visit, {bytes, plain}: Body): void | Promise<void> => {
	const judged = judgeBody(bytes, visit.exchange.request.headers, visit.server);
	const {messages} = judged;
	const requests = requestsOf(messages);
	const calls = beginCalls(context, visit, {bytes, messages, requests});
	if (!judged.ok) return refuseCalls(plain, {calls, id: judged.id, refused: judged.refusal});
	return limit(context, {visit, bytes, arguments_bytes: judged.arguments_bytes, messages, requests, calls, plain});
};

/**
 * Reads, judges, limits, holds and forwards one POST.
 * @param again finds server and caller as they are now: a client that is slow to send would be judged by what held long ago.
 */
export const servePost = async (context: ProxyContext, first: Visit, again: () => Promise<Visit>): Promise<void> => {
	const {exchange, server} = first;
	const {request, client} = exchange;
	const {max_body_bytes: limit} = context.settings;
	const arrived = request.complete;
	const plain = createPlainReply(client, limit);
	const turnAway = (refused: Refusal | undefined): void => {
		if (refused !== undefined) plain.refuse(refused, null);
		discard(request, limit);
	};
	const unsupported = unsupportedMediaType(request);
	if (unsupported !== undefined) return turnAway(unsupported);
	const body = createBodyReader(request, {budget: context.bodies, owner: server.team_id, limit});
	try {
		const reading = await body.read();
		if (!reading.ok) return turnAway(bodyRefusal(reading.because, limit));
		const visit = arrived ? first : await again();
		await serveBody(context, visit, {bytes: reading.bytes, plain});
	} finally {
		body.release();
	}
};
