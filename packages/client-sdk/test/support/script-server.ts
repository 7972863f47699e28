import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';

export type Received = Readonly<{method: string; path: string; headers: IncomingMessage['headers']; body: string}>;

export type Scripted = Readonly<{status: number; body?: unknown; headers?: Record<string, string>}>;

/** `hang` is never answered. */
export type Script = (request: Received, earlier: readonly Received[]) => Scripted | 'hang';

const receive = async (request: IncomingMessage): Promise<Received> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const {method = '', url = '', headers} = request;
	return {method, path: url, headers, body: Buffer.concat(chunks).toString()};
};

/** A local HTTP server that answers by a script and remembers what it was sent; it ends with the test. */
export const serve = async (
	t: ExecutionContext,
	script: Script,
): Promise<Readonly<{baseUrl: string; received: readonly Received[]}>> => {
	const received: Received[] = [];
	const server = createServer(async (request, response) => {
		const each = await receive(request);
		const answer = script(each, [...received]);
		received.push(each);
		if (answer === 'hang') return;
		response.writeHead(answer.status, {'content-type': 'application/json', ...answer.headers});
		response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.close();
		server.closeAllConnections();
	});
	return {baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received};
};

/** An error as the API writes it. */
export const problem = (status: number, code: string): Scripted => ({
	status,
	body: {
		error: {code, message: `Because of ${code}.`, details: [{path: 'name', message: 'is required'}], request_id: 'r-1'},
	},
});
