import assert from 'node:assert/strict';
import {createCore} from '@signalbox/core';
import {createMemoryRateLimiter, createMemorySignals, createMemoryStores} from '@signalbox/core/memory';
import * as node from '@signalbox/core/node';

const clock = node.systemClock;
const signals = createMemorySignals();
const keys = [node.generateKey('example')];
const core = createCore({
	...createMemoryStores({clock}),
	clock,
	ids: node.createIds(),
	secrets: node.createSecrets({keys}),
	signatures: node.createSignatures(),
	passwords: node.createPasswordHasher(),
	accessTokens: node.createAccessTokens({keys, issuer: 'embed-approvals'}),
	cipher: node.createCipher({keys}),
	signals,
	rateLimiter: createMemoryRateLimiter({clock}),
});

// A person, and a set of tools of which only those that read run unasked.
const account = {email: 'ops@example.com', password: 'correct horse battery staple'};
const {access_token} = await core.accounts.registration.register(account);
const person = await core.accounts.authentication.authenticate({authorization: `Bearer ${access_token}`});
const {slug} = await core.mcp.servers.create(person, {
	name: 'My tools',
	target_url: 'https://tools.example.com/mcp',
	approval_config: {enabled: true, trust_level: 'moderate'},
});

const ran: string[] = [];
/** What your agent loop does instead of running the tool right away. */
const callTool = async (tool_name: string, args: Record<string, unknown>): Promise<string> => {
	const server = await core.mcp.servers.bySlug(slug);
	assert(server);
	const arguments_bytes = new TextEncoder().encode(JSON.stringify(args));
	const signal = AbortSignal.timeout(60_000);
	const call = {server, caller: undefined, tool_name, arguments: args, arguments_bytes, signal};
	const admission = await core.mcp.gate.admit(call);
	const passage = admission.outcome === 'held' ? await admission.passage : admission;
	if (passage.outcome !== 'pass') return passage.outcome;
	ran.push(tool_name);
	passage.done();
	return passage.outcome;
};

assert.equal(await callTool('get_user', {id: 7}), 'pass');

// The person is told about each call that waits, and decides: here yes to the first, and no to the same call again.
const answers = [core.mcp.approvals.approve, core.mcp.approvals.reject];
signals.subscribe(async (event) => {
	if (event.type === 'approval.pending') await answers.shift()?.(person, event.approval_id, 'seen by a person');
});
assert.equal(await callTool('delete_user', {id: 7}), 'pass');
assert.equal(await callTool('delete_user', {id: 7}), 'rejected');

assert.deepEqual(ran, ['get_user', 'delete_user']);
console.log('held, approved by a person, ran once');
