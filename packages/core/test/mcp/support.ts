import {
	type ApprovalConfig,
	type Caller,
	DomainError,
	type McpServerRecord,
	type Passage,
	type ToolCall,
} from '@signalbox/core';
import {addCaller, buildId, buildServer, createTestCore, type TestCore} from '@signalbox/core/testing';

export type World = TestCore & Readonly<{caller: Caller; server: McpServerRecord}>;

export const requireAll: ApprovalConfig = {
	enabled: true,
	default_action: 'require',
	trust_level: 'strict',
	ttl_seconds: 300,
	rules: [],
};

/** A core, a signed-in caller, and a server of theirs that holds every tool call. */
export const startWorld = async (
	fields: Partial<McpServerRecord> = {},
	overrides: Parameters<typeof createTestCore>[0] = {},
): Promise<World> => {
	const testCore = createTestCore(overrides);
	const caller = await addCaller(testCore.ports);
	const {user_id, team_id} = caller;
	const server = buildServer({user_id, team_id, approval_config: requireAll, ...fields});
	await testCore.ports.mcpServers.create(server, null);
	return {...testCore, caller, server};
};

/** The caller with an API key of these scopes. */
export const withKey = (caller: Caller, ...scopes: ('api' | 'approvals' | 'proxy')[]): Caller => ({
	...caller,
	credential: {kind: 'api_key', id: buildId(), scopes},
});

export const callOf = (server: McpServerRecord, fields: Partial<ToolCall> & {text?: string} = {}): ToolCall => {
	const {text = '{"id":7}', ...rest} = fields;
	return {
		server,
		caller: undefined,
		tool_name: 'delete_user',
		arguments: JSON.parse(text),
		arguments_bytes: new TextEncoder().encode(text),
		signal: new AbortController().signal,
		...rest,
	};
};

/** Admits the call, which must be held. */
export const held = async ({core}: World, call: ToolCall) => {
	const admission = await core.mcp.gate.admit(call);
	if (admission.outcome !== 'held') throw new Error(`the call was ${admission.outcome}, not held`);
	return admission;
};

/** What became of a promise so far. */
export const stateOf = async (passage: Promise<Passage>): Promise<Passage | 'waiting'> => {
	await new Promise((resolve) => setImmediate(resolve));
	return Promise.race([passage, Promise.resolve('waiting' as const)]);
};

/** The reason with which it rejects, and the fields at fault. */
export const refusalOf = async (promise: Promise<unknown>): Promise<string> => {
	try {
		await promise;
		return 'resolved';
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return [error.reason, ...(error.details ?? []).map(({path}) => path)].join(' ');
	}
};
