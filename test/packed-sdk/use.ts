/**
 * What somebody does who has the packed SDK and nothing else. `npm run check:sdk` compiles it in an empty folder, strictly and
 * without a cast, and runs it there against a real server.
 */
import {isApiError, type McpCall, SignalboxClient} from '@signalbox/client-sdk';

declare const process: Readonly<{env: Readonly<Record<string, string | undefined>>}>;

const {API_URL: baseUrl = '', PROXY_URL = '', UPSTREAM_URL: target_url = '', EXPIRE_URL = ''} = process.env;
const account = {email: 'ada@example.com', password: 'correct horse battery', name: 'Ada'};

const mustHold = (what: string, holds: boolean): void => {
	if (!holds) throw new Error(`It does not hold that ${what}`);
};

let refreshes = 0;
const client = new SignalboxClient({
	baseUrl,
	fetch: (request, init) => {
		if (request.url.endsWith('/v1/auth/refresh')) refreshes += 1;
		return fetch(request, init);
	},
});
await client.auth.register({body: account});
const {id: user_id} = await client.signIn(account);

const server = await client.mcp.servers.create({
	body: {
		name: 'Tickets',
		target_url,
		approval_config: {
			enabled: true,
			trust_level: 'autonomous',
			rules: [{pattern: 'delete_*', action: 'require'}],
		},
	},
});
mustHold('the server is of the person', server.user_id === user_id);

let id = 0;
const callTool = async (name: string): Promise<string> => {
	id += 1;
	const response = await fetch(`${PROXY_URL}/p/${server.slug}`, {
		method: 'POST',
		headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
		body: JSON.stringify({jsonrpc: '2.0', id, method: 'tools/call', params: {name, arguments: {}}}),
	});
	return response.text();
};

// 249 calls that pass, and one that waits for somebody.
await Promise.all(Array.from({length: 249}, () => callTool('get_ticket')));
const held = callTool('delete_ticket');
const nextApproval = async (): Promise<string> => {
	const {data} = await client.mcp.approvals.list();
	return data[0]?.id ?? nextApproval();
};
const approval = await nextApproval();
const {status} = await client.mcp.approvals.approve({path: {id: approval}, body: {note: 'looks right'}});
mustHold('it is approved', status === 'approved');
mustHold('the held call ran', (await held).includes('ran delete_ticket'));

const calls: McpCall[] = [];
for await (const call of client.mcp.calls.iterate({query: {server_id: server.id}})) calls.push(call);
mustHold('250 calls are paged through, each once', new Set(calls.map((call) => call.id)).size === 250);
const [newest] = calls;
mustHold('the newest one is the held one', newest?.tool_name === 'delete_ticket' && newest.approval_id === approval);

await fetch(EXPIRE_URL, {method: 'POST'});
const counts = await Promise.all(Array.from({length: 20}, () => client.mcp.calls.count()));
mustHold(
	'20 calls with an expired token succeed',
	counts.every(({count}) => count === 250),
);
mustHold('they share one refresh', refreshes === 1);

try {
	await client.mcp.approvals.approve({path: {id: approval}});
	mustHold('an approval is decided once', false);
} catch (error) {
	if (!isApiError(error, 'mcp.approvals.approve', 'conflict')) throw error;
	const typed: Readonly<{status: 409; code: 'conflict'}> = error;
	console.log(
		`${calls.length} calls, ${counts.length} at once after expiry, ${refreshes} refresh, then ${typed.status}`,
	);
}
