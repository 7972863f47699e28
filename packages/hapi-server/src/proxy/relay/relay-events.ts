import {jsonRpcError} from '../json-rpc-error.ts';
import {type UpstreamAnswer, UpstreamError} from '../upstream/upstream.ts';
import {createEventWatch, type EventWatch, type FoundResponse} from './answer-events.ts';
import type {ClientStream} from './client-stream.ts';
import {type CallVerdict, failed, judgeHttp, judgeResponse, success} from './judge-answer.ts';
import {type CallOutcome, type CallRecord, settleAll} from './record-call.ts';

export type RelayFacts = Readonly<{calls: readonly CallRecord[]; client: ClientStream; limit: number}>;

export const eventOf = (data: string | Uint8Array): string => `event: message\ndata: ${data.toString()}\n\n`;

const nothing = new Uint8Array();

const settleFound = async (found: readonly FoundResponse[], calls: readonly CallRecord[], status_code: number) => {
	const settling = found.map(({response, text}) =>
		calls
			.find((call) => call.id === response.id && !call.isSettled())
			?.settle({...judgeResponse(response), status_code, response_body: Buffer.from(text)}),
	);
	await Promise.all(settling);
};

const settleUnanswered = async ({calls}: RelayFacts, outcome: CallVerdict & Pick<CallOutcome, 'status_code'>) =>
	settleAll(calls, {...outcome, response_body: nothing});

/** @returns why the stream broke off, if it did. */
const pass = async (answer: UpstreamAnswer, {calls, client}: RelayFacts, watch: EventWatch | undefined) => {
	// Headers leave with the first event if it is here already, and alone if it is not.
	const flush = setImmediate(() => client.flush());
	try {
		for await (const chunk of answer.body) {
			clearImmediate(flush);
			const found = watch?.feed(chunk) ?? [];
			if (found.length > 0) await settleFound(found, calls, answer.status);
			await client.write(chunk);
		}
	} catch (error) {
		if (error instanceof UpstreamError) return error;
		throw error;
	}
	return undefined;
};

const verdictOf = ({failure, message}: UpstreamError): CallVerdict => ({
	...failed(message),
	status: failure === 'timeout' ? 'timeout' : 'error',
});

const unansweredOf = (calls: readonly CallRecord[]) => calls.filter((call) => !call.isSettled());

/** Nothing but the end of the connection tells where it ends: an upstream that dies looks as if it had finished. */
const endsWithConnection = ({headers}: UpstreamAnswer): boolean =>
	headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;

/** What broke off may be half an event: a blank line keeps it from swallowing ours. */
const blankLine = Buffer.from('\n\n');

type Broken = Readonly<{error: UpstreamError; status_code: number}>;

/** Answers what an upstream left unanswered when it died. */
const endBrokenOff = async (facts: RelayFacts, watch: EventWatch, {error, status_code}: Broken) => {
	const {calls, client} = facts;
	// Half an event that lacked only its end is made whole by that line, and the client answered by it.
	await settleFound(watch.feed(blankLine), calls, status_code);
	const code = error.failure === 'timeout' ? 504 : 502;
	const events = unansweredOf(calls).map(({id}) => eventOf(jsonRpcError(id, {code, message: error.message})));
	await settleUnanswered(facts, {...verdictOf(error), status_code});
	client.end(`${blankLine}${events.join('')}`);
};

/**
 * Passes events on as they come. The chunk that completes the response to a call is held back until the call's row is
 * durable. Calls that an upstream left unanswered when it died get an error event, unless the client can resume.
 */
export const relayEvents = async (answer: UpstreamAnswer, facts: RelayFacts): Promise<void> => {
	const {calls, client, limit} = facts;
	const {status: status_code} = answer;
	const watch = calls.length === 0 ? undefined : createEventWatch(limit);
	let error = await pass(answer, facts, watch);
	if (watch === undefined) return client.end();
	const missed = watch.mayHaveMissed();
	if (!missed && unansweredOf(calls).length > 0 && endsWithConnection(answer))
		error ??= new UpstreamError('broken', true);
	if (error !== undefined && error.failure !== 'abandoned' && !watch.isResumable())
		return await endBrokenOff(facts, watch, {error, status_code});
	const verdict = error ? verdictOf(error) : missed ? success : judgeHttp(status_code);
	await settleUnanswered(facts, {...verdict, status_code});
	client.end();
};
