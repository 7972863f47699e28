import type {Passage, ResolvedTarget, ToolCall} from '@signalbox/core';
import {isStillWelcome} from '../gate/caller.ts';
import {protocolCodes, refusal} from '../json-rpc-error.ts';
import {isObject, isStateless, type McpRequest} from '../message.ts';
import type {ProxyContext, Visit} from '../proxy-context.ts';
import {answerFailure} from '../relay/answer-failure.ts';
import {success} from '../relay/judge-answer.ts';
import type {CallRecord} from '../relay/record-call.ts';
import {abandonCalls, refuseCalls} from '../relay/refuse-calls.ts';
import type {Reply} from '../relay/reply.ts';
import {type Blocking, blockedResult, blockedText} from './blocked-result.ts';
import {roundsOf, type SealAnswer} from './continuation.ts';
import {approvalUrl, type Decided, type Held, holdCall} from './hold-call.ts';
import {holdRound, pausedResult} from './hold-round.ts';

export type ToolCallVisit = Readonly<{
	visit: Visit;
	request: McpRequest;
	tool_name: string;
	/** The whole message. */
	bytes: Buffer;
	arguments_bytes: Uint8Array;
	call: CallRecord;
	/** Largest answer that is read, in bytes. */
	limit: number;
	/** How to answer while no headers were sent. */
	plain: Reply;
}>;

/** Leave to forward a call, once. */
export type Ticket = Readonly<{
	reply: Reply;
	/** Where it goes: what a person approved. Undefined: wherever the server leads. */
	target: ResolvedTarget | undefined;
	/** What to send in place of what the client sent: it brought a state of ours, which is none of the upstream's business. */
	body?: Buffer;
	/** What the upstream's answer goes through on its way back. */
	sealAnswer?: SealAnswer;
	/** Gives the reserved cost back: the call never left. */
	release(): Promise<void>;
}>;

const acceptsEvents = (accept: string | undefined): boolean =>
	(accept ?? '').split(',').some((range) => {
		const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
		const matches = type === 'text/event-stream' || type === 'text/*' || type === '*/*';
		return matches && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
	});

const block = async ({request, call}: ToolCallVisit, reply: Reply, blocking: Blocking): Promise<void> => {
	const response_body = blockedResult(request, blocking);
	const status = blocking.outcome === 'expired' ? 'timeout' : 'error';
	await call.settle({status, status_code: 200, error_message: blockedText(blocking), response_body});
	reply.respond(response_body);
};

const pause = async ({request, call}: ToolCallVisit, reply: Reply, request_state: string): Promise<void> => {
	const response_body = pausedResult(request, request_state);
	await call.settle({...success, status_code: 200, response_body});
	reply.respond(response_body);
};

const leave = async ({call, visit}: ToolCallVisit, reply: Reply, message: string): Promise<void> => {
	const departure = visit.exchange.departure();
	await abandonCalls(reply, {calls: [call], id: call.id, departure, message, left: false});
};

const passThrough = async (
	asked: ToolCallVisit,
	reply: Reply,
	passage: Extract<Passage, {outcome: 'pass'}>,
): Promise<Ticket | undefined> => {
	const {call, visit} = asked;
	call.note({approval_id: passage.approval_id, cost_cents: passage.cost_cents});
	if (passage.approval_id !== null && passage.rounds?.run === 1) call.runBy(passage.approval_id, passage.done);
	const release = async () => {
		call.note({cost_cents: 0});
		await passage.release();
	};
	const {target, rounds} = passage;
	if (!visit.exchange.waiter.isGone()) return {reply, target, ...(rounds && roundsOf(asked, rounds)), release};
	await release();
	await leave(asked, reply, 'The client went away before the call was sent.');
	return undefined;
};

const settlePassage = async (asked: ToolCallVisit, reply: Reply, passage: Passage): Promise<Ticket | undefined> => {
	const {call, request} = asked;
	switch (passage.outcome) {
		case 'pass':
			return await passThrough(asked, reply, passage);
		case 'limited': {
			call.note({approval_id: passage.approval_id});
			const refused = {...refusal(429, passage.message), retry_after_seconds: passage.retry_after_seconds};
			await refuseCalls(reply, {calls: [call], id: request.id, refused});
			return undefined;
		}
		case 'refused': {
			const refused = {status: 400, code: protocolCodes.invalid_params, message: passage.message};
			await refuseCalls(reply, {calls: [call], id: request.id, refused});
			return undefined;
		}
		case 'paused':
			call.note({approval_id: passage.approval.id});
			await pause(asked, reply, passage.request_state);
			return undefined;
		case 'detached':
			call.note({approval_id: passage.approval.id});
			await leave(asked, reply, 'The client went away while the call waited for approval.');
			return undefined;
		default:
			call.note({approval_id: passage.approval.id});
			await block(asked, reply, passage);
			return undefined;
	}
};

/** Here, not where the call came in: from there a stream that was opened meanwhile could only be cut. */
const settleDecided = async (
	context: ProxyContext,
	asked: ToolCallVisit,
	decided: Decided,
): Promise<Ticket | undefined> => {
	const {call, request, visit} = asked;
	const {reply} = decided;
	try {
		if ('error' in decided) throw decided.error;
		return await settlePassage(asked, reply, decided.passage);
	} catch (error) {
		await answerFailure(context, visit, {reply, calls: [call], id: request.id, error});
		return undefined;
	}
};

/**
 * Asks the gate about a tool call and waits, where a person must decide. Undefined when the call does not pass: then it
 * is logged and answered already.
 */
export const admitToolCall = async (context: ProxyContext, asked: ToolCallVisit): Promise<Ticket | undefined> => {
	const {visit, request, plain} = asked;
	// From here on, not once it waits: whoever takes it back while its approval is made is heard.
	const forget = context.heldCalls.add(visit, request.id);
	try {
		const admission = await context.core.mcp.gate.admit(toolCallOf(context, asked));
		if (admission.outcome !== 'held') return await settlePassage(asked, plain, admission);
		return await waitForDecision(context, asked, admission);
	} finally {
		forget();
	}
};

const toolCallOf = ({core}: ProxyContext, asked: ToolCallVisit): ToolCall => {
	const {visit, request} = asked;
	const {server, caller, exchange} = visit;
	const given = request.params?.arguments;
	return {
		server,
		caller,
		tool_name: asked.tool_name,
		arguments: isObject(given) ? given : {},
		arguments_bytes: asked.arguments_bytes,
		message_bytes: asked.bytes.length,
		request_state: request.params?.requestState,
		in_rounds: isStateless(request),
		signal: exchange.signal(),
		mayStillCall: (now) => isStillWelcome(core.accounts.authentication, caller, now),
	};
};

const waitForDecision = async (context: ProxyContext, asked: ToolCallVisit, admission: Held) => {
	const {exchange} = asked.visit;
	exchange.setPatient(true);
	context.metrics.countHeld(1);
	try {
		const decided = await hold(context, asked, admission);
		exchange.setPatient(false);
		return await settleDecided(context, asked, decided);
	} finally {
		context.metrics.countHeld(-1);
	}
};

const hold = async (
	{settings, ports}: ProxyContext,
	{visit, request, plain, limit}: ToolCallVisit,
	held: Held,
): Promise<Decided> => {
	const {exchange} = visit;
	if (isStateless(request)) return {passage: await holdRound(held, exchange.started_at, ports.clock), reply: plain};
	const waiting = {
		held,
		request,
		plain,
		client: exchange.client,
		accepts_events: acceptsEvents(exchange.request.headers.accept),
		approval_url: approvalUrl(settings.base_url, held.approval),
		limit,
	};
	return await holdCall(waiting, ports.clock);
};
