/** What is sent and answered in every scenario: one `tools/call` of a realistic size, and answers of an exact size. */

const text = 'The quick brown fox jumps over the lazy dog while every call is written down. ';
const words = text.split(/[ .]+/).filter(Boolean);

/** Numbers that look random, the same ones in every process. */
const numbers = function* (): Generator<number, never> {
	for (let seed = 4711; ; ) {
		seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
		yield seed;
	}
};

/** Lines like those of tickets, none like another: a text that is repeated would compress as no answer does. */
const fill = (length: number): string => {
	const random = numbers();
	const word = () => words[(random.next().value >>> 16) % words.length];
	let filled = '';
	while (filled.length < length) {
		const [ticket, id] = [random.next().value >>> 16, random.next().value.toString(16)];
		filled += `OPS-${ticket} (${id}): ${word()} ${word()} ${word()} ${word()} ${word()} ${word()} ${word()}. `;
	}
	return filled.slice(0, length);
};

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
