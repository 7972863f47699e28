import {SignalboxClient, type StreamMessage} from '@signalbox/client-sdk';
import test from 'ava';
import {type Body, createApi, registerPerson} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

/** Cuts each stream after its first bytes that hold an event. */
const cutting = (cuts: {count: number}) => async (request: Request, init?: RequestInit) => {
	const response = await fetch(request, init);
	if (!request.url.includes('/v1/stream') || !response.ok) return response;
	const cut = new TransformStream<Uint8Array, Uint8Array>({
		transform: (chunk, controller) => {
			controller.enqueue(chunk);
			if (!new TextDecoder().decode(chunk).includes('webhook.event')) return;
			cuts.count += 1;
			controller.error(new Error('cut'));
		},
	});
	return new Response(response.body?.pipeThrough(cut), response);
};

test('the SDK reads the stream on over cuts and expired tokens, and ends it with its signal', async (t) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const {api, access_token, refresh_token} = await registerPerson(createApi(server.baseUrl));
	const endpoint = (await api.post('/v1/webhook/endpoints', {name: 'In', destination_url: 'http://127.0.0.1:9/'})).body;
	const cuts = {count: 0};
	const tokens = {access_token, refresh_token};
	const client = new SignalboxClient({baseUrl: server.baseUrl, tokens, fetch: cutting(cuts)});
	const messages: StreamMessage[] = [];
	const end = new AbortController();
	const reading = (async () => {
		for await (const message of client.stream({types: ['webhook.event'], signal: end.signal})) messages.push(message);
	})();
	await until(async () => messages[0]?.type === 'open', 'open');
	const sent: string[] = [];
	const seen = (): readonly string[] =>
		messages.flatMap((message) => (message.type === 'webhook.event' ? [message.data.id] : []));
	const send = async (): Promise<void> => {
		const answer = await fetch(`${server.baseUrl}/wh/${endpoint.slug}`, {method: 'POST', body: '{}'});
		sent.push(((await answer.json()) as Body).event_id);
		await until(async () => seen().length >= sent.length, 'the event');
	};
	for (let count = 0; count < 4; count += 1) await send();
	server.advance(14 * 60_000);
	await send();
	server.advance(2 * 60_000);
	await send();
	t.deepEqual(seen(), sent);
	t.true(cuts.count >= 2);
	t.false(messages.some(({type}) => type === 'reset'));
	end.abort();
	await reading;
});

test('the SDK says what keeps a stream from being opened', async (t) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const client = new SignalboxClient({baseUrl: server.baseUrl, apiKey: 'sbx_12345678_nonsense'});
	const error = await t.throwsAsync(async () => {
		for await (const _ of client.stream()) t.fail();
	});
	t.like(error, {name: 'ApiError', status: 401, operation: 'stream.open'});
});
