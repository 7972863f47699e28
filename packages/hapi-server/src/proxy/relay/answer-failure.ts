import type {RequestId} from '../json-rpc-error.ts';
import type {ProxyContext, Visit} from '../proxy-context.ts';
import type {CallRecord} from './record-call.ts';
import {refusalOf, refuseCalls} from './refuse-calls.ts';
import type {Reply} from './reply.ts';

/** What was thrown on the way of these calls, and how their client can still be told. */
export type Failure = Readonly<{reply: Reply; calls: readonly CallRecord[]; id: RequestId; error: unknown}>;

/** Whatever happened, the calls are logged, and a stream that was opened while one waited gets its end. */
export const answerFailure = async (
	{log}: ProxyContext,
	{server}: Visit,
	{reply, calls, id, error}: Failure,
): Promise<void> => {
	const mcp_server_id = server.id;
	const refused = refusalOf(error);
	if (refused.status >= 500) log.error({mcp_server_id, err: error}, 'a call could not be completed');
	try {
		await refuseCalls(reply, {calls, id, refused});
	} catch (unlogged) {
		// What failed is often the store, and with it the log: a client that is told nothing would wait, or call again.
		log.error({mcp_server_id, err: unlogged}, 'a call that failed could not be logged');
		reply.refuse(refused, id);
	}
};
