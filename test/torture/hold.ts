import assert from 'node:assert/strict';
import {setTimeout as pause} from 'node:timers/promises';
import {startCountingUpstream} from '../scenarios/proxy/counting-upstream.ts';
import {callHeaders, numberedCall, responseIn} from '../scenarios/proxy/interrupted-load.ts';
import {startInterruptedServer} from '../scenarios/proxy/interrupted-server.ts';
import {type OfficialClient, officialClients} from '../support/mcp/official-clients.ts';
import {startTicketsServer} from '../support/mcp/tickets-server.ts';

/** Node's fetch gives up after 300 seconds without headers, and after 300 without a byte of the body. */
const holdSeconds = 310;
const timeout = 400_000;

const byFetch = async (url: string): Promise<string> => {
	const answer = await fetch(url, {method: 'POST', headers: callHeaders, body: numberedCall(1)});
	return responseIn(await answer.text()).result.content[0].text;
};

const byClient = async (client: OfficialClient, tool: string, onprogress?: () => void): Promise<string> => {
	const {content} = await client.callTool(tool, {}, {timeout, ...(onprogress && {onprogress})});
	return content[0]?.text ?? '';
};

const approveAll = async (server: Awaited<ReturnType<typeof startInterruptedServer>>): Promise<number> => {
	const {data} = (await server.api().get('/v1/mcp/approvals')).body;
	for (const {id} of data) await server.api().post(`/v1/mcp/approvals/${id}/approve`, {});
	return data.length;
};

/** A call that is held for longer than Node's fetch waits for anything arrives all the same, with fetch and with the SDKs. */
export const tortureHold = async (): Promise<void> => {
	const [numbers, tickets] = [await startCountingUpstream(), await startTicketsServer()];
	const [forFetch, forClients] = [await startInterruptedServer(numbers.url), await startInterruptedServer(tickets.url)];
	try {
		const address = `${forClients.origin()}/p/${forClients.slugs.held}`;
		const [v1, v2] = await Promise.all(officialClients.map(({connect}) => connect(address)));
		assert.ok(v1 && v2);
		let beats = 0;
		const beat = () => {
			beats += 1;
		};
		const answers = Promise.all([
			byFetch(`${forFetch.origin()}/p/${forFetch.slugs.held}`),
			byClient(v1, 'list_items'),
			byClient(v1, 'get_item', beat),
			byClient(v2, 'create_item'),
			byClient(v2, 'delete_item', beat),
		]);
		const decided = pause(holdSeconds * 1000).then(
			async () => (await approveAll(forFetch)) + (await approveAll(forClients)),
		);
		const texts = await answers;
		assert.deepEqual(texts, ['ran 1', 'list_items all', 'get_item all', 'create_item all', 'delete_item all']);
		assert.equal(await decided, 5);
		assert.equal(numbers.executions(1), 1);
		for (const tool of ['list_items', 'get_item', 'create_item', 'delete_item'])
			assert.equal(tickets.executions(tool), 1);
		console.log(
			`  5 calls were held for ${holdSeconds} s, by fetch and by both SDKs, with ${beats} progress notifications`,
		);
		await Promise.all([v1.close(), v2.close()]);
	} finally {
		await Promise.all([forFetch.close(), forClients.close(), numbers.close(), tickets.close()]);
	}
};
