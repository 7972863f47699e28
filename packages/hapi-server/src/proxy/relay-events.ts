import {createEventWatch, type FoundResponse} from './answer-events.ts';
import type {ClientStream} from './client-stream.ts';
import {jsonRpcError} from './json-rpc-error.ts';
import {failed, judgeHttp, judgeResponse, success} from './judge-answer.ts';
import {type CallRecord, settleAll} from './record-call.ts';
import {type UpstreamAnswer, UpstreamError} from './upstream.ts';

export type RelayFacts = Readonly<{calls: readonly CallRecord[]; client: ClientStream; limit: number}>;

export const eventOf = (data: string | Uint8Array): string => `event: message\ndata: ${data.toString()}\n\n`;

const nothing = new Uint8Array();

const settleFound = async (found: readonly FoundResponse[], calls: readonly CallRecord[], status_code: number) => {
	const settling = found.map(({response, text}) =>
		calls
			.find(({id, isSettled}) => id === response.id && !isSettled())
			?.settle({...judgeResponse(response), status_code, response_body: Buffer.from(text)}),
	);
	await Promise.all(settling);
};

/** How a stream ended. */
type End = Readonly<{error: UpstreamError | undefined; resumable: boolean; blind: boolean}>;

const settleUnanswered = async ({calls}: RelayFacts, status_code: number, {error, blind}: End): Promise<void> => {
	const verdict = error ? failed(error.message) : blind ? success : judgeHttp(status_code);
	const status = error?.failure === 'timeout' ? 'timeout' : verdict.status;
	await settleAll(calls, {...verdict, status, status_code, response_body: nothing});
};

const pass = async (answer: UpstreamAnswer, {calls, client, limit}: RelayFacts): Promise<End> => {
	const watch = calls.length === 0 ? undefined : createEventWatch(limit);
	// Headers leave with the first event if it is here already, and alone if it is not.
	const flush = setImmediate(() => client.flush());
	let broken: UpstreamError | undefined;
	try {
		for await (const chunk of answer.body) {
			clearImmediate(flush);
			const found = watch?.feed(chunk) ?? [];
			if (found.length > 0) await settleFound(found, calls, answer.status);
			await client.write(chunk);
		}
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		broken = error;
	}
	return {error: broken, resumable: watch?.isResumable() ?? true, blind: watch?.isBlind() ?? false};
};

/**
 * Passes events on as they come. The chunk that completes the response to a call is held back until the call's row is
 * durable. Calls that an upstream left unanswered when it died get an error event, unless the client can resume.
 */
export const relayEvents = async (answer: UpstreamAnswer, facts: RelayFacts): Promise<void> => {
	const end = await pass(answer, facts);
	const {error, resumable} = end;
	const unanswered = facts.calls.filter(({isSettled}) => !isSettled());
	await settleUnanswered(facts, answer.status, end);
	if (error !== undefined && error.failure !== 'abandoned' && !resumable) {
		const code = error.failure === 'timeout' ? 504 : 502;
		const events = unanswered.map(({id}) => eventOf(jsonRpcError(id, {code, message: error.message})));
		// What broke off may be half an event: the blank line keeps it from swallowing ours.
		return facts.client.end(`\n\n${events.join('')}`);
	}
	facts.client.end();
};
