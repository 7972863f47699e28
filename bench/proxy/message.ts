/** What is sent and answered in every scenario: one `tools/call` of a realistic size, and answers of an exact size. */
import examples from '@octokit/webhooks-examples' with {type: 'json'};

/** Payloads that GitHub sent, without what JSON or nginx would escape: a text that is repeated compresses as no answer does. */
const text = JSON.stringify(examples)
	.slice(0, 64 * 1024)
	.replaceAll(/[^\w .,:/@+-]/g, ' ');

const fill = (length: number): string => text.slice(0, length);

const call = {
	jsonrpc: '2.0',
	id: 1,
	method: 'tools/call',
	params: {
		name: 'get_ticket',
		arguments: {ticket: 'OPS-4711', fields: ['title', 'state', 'owner'], note: fill(168)},
		_meta: {progressToken: 1},
	},
};

/** A `tools/call` of about 300 bytes. */
export const requestBody = JSON.stringify(call);

export const requestHeaders: Readonly<Record<string, string>> = {
	'content-type': 'application/json',
	accept: 'application/json, text/event-stream',
	'mcp-protocol-version': '2025-11-25',
};

const resultOf = (filling: string) => ({content: [{type: 'text', text: filling}], isError: false});

/** The tool result whose JSON-RPC response with the id 1 has that many bytes. */
export const toolResult = (bytes: number) => {
	const frame = JSON.stringify({jsonrpc: '2.0', id: 1, result: resultOf('')});
	return resultOf(fill(bytes - frame.length));
};

/** The JSON-RPC response, of exactly that many bytes. */
export const responseBody = (bytes: number): string =>
	JSON.stringify({jsonrpc: '2.0', id: 1, result: toolResult(bytes)});
