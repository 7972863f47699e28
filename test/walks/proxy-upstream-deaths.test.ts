import type {McpCall} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {startFaultUpstream} from '../scenarios/proxy/fault-upstream.ts';
import {openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {until} from '../support/mcp/until.ts';

type Death = 'close' | 'reset';

/** How a call ended for its client: without any of the answer, with half of it, in a stream that says so, or with the result. */
type Ending = 'refused' | 'cut' | 'error event' | 'result';

type Shape = Readonly<{
	/** The whole answer, down to the byte. */
	whole: string;
	/** What the client sees when exactly that many bytes came before the connection closed. */
	endingAfter(bytes: number): Ending;
}>;

const result = '{"jsonrpc":"2.0","id":"x","result":{}}';
const event = `: alive\n\ndata: ${result}\n\n: bye\n\n`;

const answered = (type: string, framing: string, body: string): string =>
	`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n${body}`;

const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A document is held back until more of it comes: what comes in one piece reaches its client as a whole or not at all. */
const documentShape = (framing: string, body: string, secondPiece = body.length): Shape => {
	const whole = answered('application/json', framing, body);
	const second = whole.length - body.length + secondPiece;
	return {
		whole,
		endingAfter: (bytes) => (bytes >= whole.length ? 'result' : bytes > second ? 'cut' : 'refused'),
	};
};

/** Events reach their client one by one. */
const eventShape = (framing: string, body: string): Shape => {
	const whole = answered('text/event-stream', framing, body);
	const head = whole.indexOf('\r\n\r\n') + 4;
	const response = whole.indexOf(result) + result.length;
	return {
		whole,
		endingAfter: (bytes) => (bytes < head ? 'refused' : bytes < response ? 'error event' : 'result'),
	};
};

const shapes: Readonly<Record<string, Shape>> = {
	'a document of a known length': documentShape(`Content-Length: ${result.length}`, result),
	'a document in one chunk': documentShape('Transfer-Encoding: chunked', `${chunkOf(result)}0\r\n\r\n`),
	'a document in two chunks': documentShape(
		'Transfer-Encoding: chunked',
		`${chunkOf(result.slice(0, 10))}${chunkOf(result.slice(10))}0\r\n\r\n`,
		chunkOf(result.slice(0, 10)).length + '1c\r\n'.length,
	),
	'events of a known length': eventShape(`Content-Length: ${event.length}`, event),
	'events in chunks': eventShape('Transfer-Encoding: chunked', `${chunkOf(event)}0\r\n\r\n`),
};

/** The JSON-RPC messages in a document or a stream; half of one is none. */
const messagesIn = (text: string) =>
	text.split('\n').flatMap((line) => {
		try {
			return [JSON.parse(line.replace(/^data: /, ''))];
		} catch {
			return [];
		}
	});

const endingOf = (status: number, text: string): Ending | string => {
	const messages = messagesIn(text);
	const [message] = messages;
	if (messages.length !== 1 || message.id !== 'x') return `${status} ${text}`;
	if (status === 200 && 'result' in message) return 'result';
	if (message.error?.code !== 502) return `${status} ${text}`;
	return status === 502 ? 'refused' : 'error event';
};

const statusOf = {refused: 502, cut: 200, 'error event': 200, result: 200} as const;

const rowOf = (ending: Ending) => ({
	status: ending === 'result' ? 'success' : 'error',
	status_code: statusOf[ending],
	error_message: ending === 'result' ? '' : 'The upstream broke off its answer.',
});

const openDyingUpstream = async (t: ExecutionContext, shape: Shape, end: Death) => {
	const upstream = await startFaultUpstream((bytes) => ({body: shape.whole.slice(0, Number(bytes)), end}));
	t.teardown(upstream.close);
	const proxy = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8']});
	const address = `${proxy.origin}${await proxy.addServer({target_url: upstream.url})}`;
	const {core, owner} = proxy;
	return {
		upstream,
		/** Calls an upstream that dies after so many bytes. */
		call: async (bytes: number) => {
			const params = {name: String(bytes)};
			const answering = fetch(address, {
				method: 'POST',
				headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
				body: JSON.stringify({jsonrpc: '2.0', id: 'x', method: 'tools/call', params}),
			});
			return await answering.then(async (answer) => endingOf(answer.status, await answer.text())).catch(() => 'cut');
		},
		rows: async (bytes: number): Promise<readonly McpCall[]> => {
			const filter = {tool_name: String(bytes)};
			return (await core.mcp.calls.list(owner, filter, {limit: 100, offset: 0})).data;
		},
	};
};

const atOnce = 8;

for (const [title, shape] of Object.entries(shapes)) {
	for (const death of ['close', 'reset'] as const) {
		const ids = title.startsWith('events') ? '[PRX-060 PRX-062]' : '[PRX-060]';
		test(`${ids} a ${death} at every byte of ${title} is told to the client and the log`, async (t) => {
			const {upstream, call, rows} = await openDyingUpstream(t, shape, death);
			const tell = async (bytes: number) => {
				const ending = await call(bytes);
				const told = (await rows(bytes)).map(({status, status_code, error_message}) => ({
					status,
					status_code,
					error_message,
				}));
				t.deepEqual(told, [rowOf(ending as Ending)], `${bytes}: ${ending}`);
				// A reset may overtake bytes that came before it: then it is as if it had come earlier.
				const asIf = death === 'close' ? [bytes] : Array.from({length: bytes + 1}, (_, index) => index);
				const possible: readonly string[] = asIf.map(shape.endingAfter);
				t.true(possible.includes(ending), `${bytes}: ${ending}`);
			};
			const offsets = Array.from({length: shape.whole.length + 1}, (_, index) => index);
			while (offsets.length > 0) await Promise.all(offsets.splice(0, atOnce).map(tell));
			await until(() => upstream.open() === 0, 'the end of every connection');
		});
	}
}
