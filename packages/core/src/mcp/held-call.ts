import type {ApprovedCall, Ports} from '../ports/index.ts';
import {callerKeyOf} from '../values/caller.ts';
import type {ToolCall} from './model/passage.ts';
import type {ResolvedTarget} from './model/target.ts';
import type {StateOwner} from './request-states.ts';
import {callBinding, targetText} from './rules/call-binding.ts';

/** A call with the target that it was to go to when its approval was asked for. */
export type HeldCall = ToolCall & Readonly<{target: ResolvedTarget}>;

type Needs = Pick<Ports, 'secrets'>;

/** What tells a call from any other one. */
export const ownerOf = ({secrets}: Needs, {server, caller, tool_name, arguments_bytes}: ToolCall): StateOwner => ({
	mcp_server_id: server.id,
	caller_key: callerKeyOf(caller),
	tool_name,
	arguments_digest: secrets.digest(arguments_bytes),
});

/**
 * The call as approvals know it: bound also to where it goes and with what. One form for each of the server's own keys,
 * the newest first: approvals that are pending while the keys are rotated keep the older form.
 */
export const approvedCalls = (needs: Needs, call: HeldCall): readonly ApprovedCall[] => {
	const owner = ownerOf(needs, call);
	// Keyed: a weak secret in a header must not be there to be guessed from what is stored.
	return needs.secrets.derive(`target of a held call ${targetText(call.target)}`).map((target) => ({
		...owner,
		arguments_digest: needs.secrets.digest(callBinding(call.server, {arguments: owner.arguments_digest, target})),
	}));
};
