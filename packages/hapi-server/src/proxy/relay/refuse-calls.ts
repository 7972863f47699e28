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

/** Logs calls that nobody waits for any more. */
export const abandonCalls = async (calls: readonly CallRecord[], message: string): Promise<void> =>
	await settleAll(calls, {...failed(message), status_code: clientLeft, response_body: new Uint8Array()});

/** The answer, if there still is somebody to answer, once nobody waits for the upstream any more. */
export const answerDeparture = (reply: Reply, departure: Departure | undefined, id: RequestId): void => {
	if (departure === 'cancelled') reply.dismiss();
	if (departure === 'closing')
		reply.refuse({...refusal(503, 'This server is stopping: try again.'), retry_after_seconds: 1}, id);
};

export type RefusedCalls = Readonly<{calls: readonly CallRecord[]; id: RequestId; refused: Refusal}>;

/** Logs calls that did not pass, and then says so: a blocked call is a call. */
export const refuseCalls = async (reply: Reply, {calls, id, refused}: RefusedCalls): Promise<void> => {
	const status = refused.status === 504 ? 'timeout' : 'error';
	const response_body = jsonRpcError(id, refused);
	await settleAll(calls, {...failed(refused.message), status, status_code: refused.status, response_body});
	reply.refuse(refused, id);
};
