import type {IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http';
import {listen} from './listen.ts';

type ReceivedRequest = Readonly<{method: string; url: string; headers: IncomingHttpHeaders; body: string}>;

/** What the upstream does with a request; its body was read already. */
export type Script = (request: ReceivedRequest, response: ServerResponse) => void;

export type ScriptedUpstream = Readonly<{
	url: string;
	received: readonly ReceivedRequest[];
	/** Requests whose connection the other side closed before the answer was complete. */
	aborted(): number;
	close(): Promise<void>;
}>;

const readBody = async (request: IncomingMessage): Promise<string> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
};

/** A JSON-RPC result under the id of the request. */
export const answerJson =
	(result: unknown = {}): Script =>
	({body}, response) => {
		response.writeHead(200, {'content-type': 'application/json'});
		response.end(JSON.stringify({jsonrpc: '2.0', id: JSON.parse(body).id, result}));
	};

/** An upstream down to the byte: it does what its script says and remembers what reached it. */
export const startScriptedUpstream = async (script: Script = answerJson()): Promise<ScriptedUpstream> => {
	const received: ReceivedRequest[] = [];
	let aborted = 0;
	const {origin, close} = await listen(async (request, response) => {
		const {method = '', url = '', headers} = request;
		response.on('close', () => {
			if (!response.writableFinished) aborted += 1;
		});
		try {
			const seen = {method, url, headers, body: await readBody(request)};
			received.push(seen);
			script(seen, response);
		} catch {
			response.destroy();
		}
	});
	return {url: `${origin}/mcp`, received, aborted: () => aborted, close};
};
