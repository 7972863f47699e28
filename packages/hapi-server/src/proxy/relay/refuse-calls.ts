import {DomainError} from '@signalbox/core';
import {statusByKind} from '../../http/status-codes.ts';
import type {Departure} from '../exchange.ts';
import {jsonRpcError, type Refusal, type RequestId, refusal} from '../json-rpc-error.ts';
import {failed} from './judge-answer.ts';
import {type CallRecord, settleAll} from './record-call.ts';
import type {Reply} from './reply.ts';

/** What we tell a client about an error. What was not thrown on purpose says nothing of itself. */
export const refusalOf = (error: unknown): Refusal => {
	if (!(error instanceof DomainError)) return refusal(500, 'Something went wrong on our side.');
	const refused = refusal(statusByKind[error.kind], error.message);
	const {retryAfterSeconds} = error;
	return retryAfterSeconds === undefined ? refused : {...refused, retry_after_seconds: retryAfterSeconds};
};

/** RFC 9110 has no status for a client that left; 499 is what proxies write since nginx. */
const clientLeft = 499;

/** Whoever sent a call that had left by then could have it run twice, if told to try again. */
const stopping = (left: boolean): Refusal =>
	left
		? refusal(
				503,
				'This server stopped before the answer came. The call was sent: see what it did before it is sent again.',
			)
		: {...refusal(503, 'This server is stopping: try again.'), retry_after_seconds: 1};

/** Calls that nobody waits for any more, and why. */
export type AbandonedCalls = Readonly<{
	calls: readonly CallRecord[];
	id: RequestId;
	departure: Departure | undefined;
	/** What the log says of a client that went away. */
	message: string;
	/** False when not a byte of it can have reached the upstream. */
	left: boolean;
}>;

/** Logs calls that nobody waits for any more, and answers, if there still is somebody to answer. */
export const abandonCalls = async (reply: Reply, abandoned: AbandonedCalls): Promise<void> => {
	const {calls, id, departure, message, left} = abandoned;
	if (departure === 'closing') return refuseCalls(reply, {calls, id, refused: stopping(left)});
	await settleAll(calls, {...failed(message), status_code: clientLeft, response_body: new Uint8Array()});
	if (departure === 'cancelled') reply.dismiss();
};

export type RefusedCalls = Readonly<{calls: readonly CallRecord[]; id: RequestId; refused: Refusal}>;

/** Logs calls that did not pass, and then says so: a blocked call is a call. */
export const refuseCalls = async (reply: Reply, {calls, id, refused}: RefusedCalls): Promise<void> => {
	const status = refused.status === 504 ? 'timeout' : 'error';
	const response_body = jsonRpcError(id, refused);
	await settleAll(calls, {...failed(refused.message), status, status_code: refused.status, response_body});
	reply.refuse(refused, id);
};
