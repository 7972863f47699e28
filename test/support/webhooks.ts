import type {IncomingHttpHeaders} from 'node:http';
import type {ExecutionContext} from 'ava';
import {type Body, createApi, registerPerson} from './api.ts';
import {listen} from './mcp/listen.ts';
import {until} from './mcp/until.ts';
import {startTestServer, type TestServerOptions} from './server.ts';

export type Received = Readonly<{method: string; url: string; headers: IncomingHttpHeaders; body: Buffer}>;

/** A destination that answers by script, from then on with 200, and remembers what came. */
export const openDestination = async (t: ExecutionContext, statuses: readonly number[] = []) => {
	const received: Received[] = [];
	const server = await listen(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const {method = '', url = '', headers} = request;
		received.push({method, url, headers, body: Buffer.concat(chunks)});
		response.writeHead(statuses[received.length - 1] ?? 200, {'x-answer': 'yes'}).end('thanks');
	});
	t.teardown(server.close);
	return {url: `${server.origin}/hook`, received};
};

/** A whole server, and somebody who takes webhooks in there. */
export const openWebhooks = async (t: ExecutionContext, options: TestServerOptions = {}) => {
	const server = await startTestServer(options);
	t.teardown(server.close);
	const {api} = await registerPerson(createApi(server.baseUrl));
	const made = async (path: string, fields: Body) => {
		const {status, body, text} = await api.post(path, fields);
		t.is(status, 201, text);
		return body;
	};
	return {
		server,
		api,
		addEndpoint: async (fields: Body) => {
			const endpoint = await made('/v1/webhook/endpoints', {name: 'Orders', ...fields});
			return {...endpoint, url: `${server.baseUrl}/wh/${endpoint.slug}`};
		},
		addStep: async ({id}: Body, type: string, config: Body) =>
			made(`/v1/webhook/endpoints/${id}/middlewares`, {name: type, type, config}),
		addRule: async ({id}: Body, fields: Body) =>
			made(`/v1/webhook/endpoints/${id}/routing-rules`, {name: 'Rule', is_active: true, ...fields}),
		/** Sends a webhook that must be accepted. @returns the id of its event, and its status. */
		send: async (url: string, init: RequestInit = {}): Promise<Readonly<{event_id: string; status: string}>> => {
			const answer = await fetch(url, {method: 'POST', body: '{"order":7}', ...init});
			t.is(answer.status, 202);
			return (await answer.json()) as {event_id: string; status: string};
		},
		event: async (id: string): Promise<Body> => (await api.get(`/v1/webhook/events/${id}`)).body,
		eventWhen: (id: string, status: string): Promise<Body> =>
			until(async () => {
				const {body} = await api.get(`/v1/webhook/events/${id}`);
				return body.delivery_status === status && body;
			}, `the event is ${status}`),
	};
};
