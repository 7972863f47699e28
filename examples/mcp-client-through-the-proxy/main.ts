import assert from 'node:assert/strict';
import {setInterval} from 'node:timers/promises';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {SignalboxClient} from '@signalbox/client-sdk';
import {openOrders, startSignalbox} from './local.ts';

const [signalbox, orders] = await Promise.all([startSignalbox(), openOrders()]);
const person = new SignalboxClient({baseUrl: signalbox.url});
const account = {email: 'ops@example.com', password: 'correct horse battery staple'};
await person.auth.register({body: account});
await person.signIn(account);

// The tools behind Signalbox: what only reads runs at once, `cancel_*` waits for somebody.
const {slug} = await person.mcp.servers.create({
	body: {
		name: 'Orders',
		target_url: orders.url,
		approval_config: {enabled: true, default_action: 'allow', rules: [{pattern: 'cancel_*', action: 'require'}]},
	},
});

// The only line that a client changes is the address.
const client = new Client({name: 'example', version: '1.0.0'});
await client.connect(new StreamableHTTPClientTransport(new URL(`${signalbox.url}/p/${slug}`)));
const {tools} = await client.listTools();
console.log(tools.map(({name}) => name).join(', '));

const call = async (name: string, id: string) => {
	const {content, isError} = await client.callTool({name, arguments: {id}});
	const [{text}] = content as [{text: string}];
	console.log(`${name} ${id}: ${isError ? 'not done' : text}`);
	return {text, isError: isError ?? false};
};

/** What a person does when a call waits: look at it, and say yes or no. */
const decideNext = async (decision: 'approve' | 'reject', note: string) => {
	for await (const _ of setInterval(100)) {
		const [waiting] = (await person.mcp.approvals.list()).data;
		if (waiting !== undefined) return person.mcp.approvals[decision]({path: {id: waiting.id}, body: {note}});
	}
};

// Reading goes straight through.
assert.equal((await call('get_order', '7')).text, 'order 7: open');

// Cancelling is held. While nobody has decided, nothing happens at the server.
const held = call('cancel_order', '7');
await decideNext('approve', 'the customer asked for it');
assert.equal((await held).text, 'order 7: cancelled');

// A call that is rejected is a tool result that says so: an agent reads it and goes on.
const refused = call('cancel_order', '8');
await decideNext('reject', 'it has left the warehouse');
assert.match((await refused).text, /it has left the warehouse/);
assert((await refused).isError);
assert.deepEqual(orders.cancelled, ['7']);

// Everything is in the log, with what it said and how it was decided.
const logged: string[] = [];
for await (const {tool_name, status} of person.mcp.calls.iterate({query: {method: 'tools/call'}}))
	logged.push(`${tool_name}: ${status}`);
assert.deepEqual(logged, ['cancel_order: error', 'cancel_order: success', 'get_order: success']);

await client.close();
await Promise.all([signalbox.stop(), orders.close()]);
