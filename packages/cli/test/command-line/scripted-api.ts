import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import type {ExecutionContext} from 'ava';
import {openTerminal} from '../terminal.ts';

type Told = Readonly<{method: string; path: string; key: string | undefined; body: unknown}>;

/** What a request is answered with: a body, or a status and a body. */
type Answers = Readonly<Record<string, unknown | (() => unknown)>>;

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
	const body = await text(request);
	return body === '' ? undefined : JSON.parse(body);
};

/** An API that answers `GET /v1/environment` and so on as a test says, and keeps what it was told. */
const serveApi = async (t: ExecutionContext, answers: Answers) => {
	const told: Told[] = [];
	const server = createServer(async (request, response) => {
		const {method = '', url = ''} = request;
		told.push({method, path: url, key: request.headers['x-api-key']?.toString(), body: await bodyOf(request)});
		const found = answers[`${method} ${url.split('?')[0]}`];
		const answer = typeof found === 'function' ? found() : found;
		const [status, body] = Array.isArray(answer) ? answer : [200, answer];
		response.writeHead(found === undefined ? 404 : status, {'content-type': 'application/json'});
		response.end(JSON.stringify(body ?? {error: {code: 'resource_not_found', message: 'no', request_id: 'r'}}));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {told, environment: {SIGNALBOX_API_KEY: 'sbx_anne0000_secret', SIGNALBOX_URL: url}};
};

/** A person who is logged in to such an API. */
export const open = async (t: ExecutionContext, answers: Answers, habits: Parameters<typeof openTerminal>[1] = {}) => {
	const {told, environment} = await serveApi(t, answers);
	const terminal = await openTerminal(t, {...habits, environment: {...environment, ...habits.environment}});
	return {told, ...terminal};
};

export const variable = {
	...{id: 'v1', user_id: 'anne', key: 'TOKEN', is_secret: true, scope: 'all', description: null},
	...{created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z'},
};
