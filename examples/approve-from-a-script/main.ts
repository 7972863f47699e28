import assert from 'node:assert/strict';
import {setInterval} from 'node:timers/promises';
import {SignalboxClient} from '@signalbox/client-sdk';
import {approveByRule, type Rule} from './approve.ts';
import {callTool, openShop, startSignalbox} from './local.ts';

const [signalbox, shop] = await Promise.all([startSignalbox(), openShop()]);

// A person, the shop's tools behind Signalbox, and a key for the script, that may look and decide, but call no tool.
const person = new SignalboxClient({baseUrl: signalbox.url});
const account = {email: 'ops@example.com', password: 'correct horse battery staple'};
await person.auth.register({body: account});
await person.signIn(account);
const {slug} = await person.mcp.servers.create({
	body: {name: 'Shop', target_url: shop.url, approval_config: {enabled: true, trust_level: 'moderate'}},
});
const {key: apiKey} = await person.apiKeys.create({body: {name: 'refunds', scopes: ['api', 'approvals']}});

/** Small refunds go through, large ones do not; whatever else waits is for people. */
const refunds: Rule = ({tool_name, request_body}) => {
	const {amount} = request_body;
	if (tool_name !== 'refund_order' || typeof amount !== 'number') return undefined;
	if (amount <= 50) return {decision: 'approve', note: 'a refund of up to 50'};
	return amount > 1000 ? {decision: 'reject', note: 'more than 1000 is never refunded by an agent'} : undefined;
};

const stopping = new AbortController();
const script = approveByRule(new SignalboxClient({baseUrl: signalbox.url, apiKey}), refunds, stopping.signal);

// The agent calls, and knows nothing of all that.
const agent = (name: string, args: object) => callTool(`${signalbox.url}/p/${slug}`, name, args);
assert.equal(await agent('refund_order', {id: 7, amount: 20}), 'refund_order ran');
assert.match(await agent('refund_order', {id: 8, amount: 5000}), /more than 1000 is never refunded by an agent/);

// What the script leaves alone waits until a person has looked.
const waiting = agent('refund_order', {id: 9, amount: 500});
for await (const _ of setInterval(100)) {
	const [approval] = (await person.mcp.approvals.list()).data;
	if (approval === undefined) continue;
	await person.mcp.approvals.approve({path: {id: approval.id}, body: {note: 'asked the customer'}});
	break;
}
assert.equal(await waiting, 'refund_order ran');

// Who decided what, and why, stays.
for await (const call of person.mcp.calls.iterate({query: {method: 'tools/call'}})) {
	if (call.approval_id === null) continue;
	const {status, decision_note} = await person.mcp.approvals.get({path: {id: call.approval_id}});
	console.log(`${status}: ${decision_note}`);
}
assert.deepEqual(shop.ran, ['refund_order', 'refund_order']);

stopping.abort();
await script;
await Promise.all([signalbox.stop(), shop.close()]);
