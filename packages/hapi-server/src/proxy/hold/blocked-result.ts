import type {Approval} from '@signalbox/core';
import {isStateless, type McpRequest} from '../message.ts';

/** How an approval kept a call from running. */
export type Blocking = Readonly<{
	outcome: 'rejected' | 'expired' | 'changed' | 'spent' | 'revoked';
	approval: Approval;
}>;

/** What the model reads. */
export const blockedText = ({outcome, approval}: Blocking): string => {
	const call = `The call of ${approval.tool_name} was not run`;
	switch (outcome) {
		case 'rejected':
			return `${call}: a person rejected it.${approval.decision_note === null ? '' : ` ${approval.decision_note}`}`;
		case 'expired':
			return `${call}: it needs the approval of a person, and nobody decided by ${approval.expires_at}.`;
		case 'changed':
			return `${call}: the configuration of this server changed while it waited for approval. It may be called again.`;
		case 'spent':
			return `${call} again: its approval let it run already, or came to an end before the call came back for it.`;
		case 'revoked':
			return `${call}: the credentials that it came with were revoked while it waited for approval.`;
	}
};

/**
 * A blocked call is answered as a tool that failed, not as a protocol error: clients show results to the model, and the
 * model can go on.
 */
export const blockedResult = (request: McpRequest, blocking: Blocking): Buffer => {
	const {id, status} = blocking.approval;
	const result = {
		...(isStateless(request) && {resultType: 'complete'}),
		content: [{type: 'text', text: blockedText(blocking)}],
		isError: true,
		_meta: {'signalbox/approval': {id, status}},
	};
	return Buffer.from(JSON.stringify({jsonrpc: '2.0', id: request.id, result}));
};
