import {request as httpRequest, type IncomingMessage} from 'node:http';
import {connect} from 'node:net';
import {DomainError} from '@signalbox/core';
import test from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {sendRaw} from '../support/raw-http.ts';
import {openIngest, post} from './open-ingest.ts';

for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE', 'TRACE'])
	test(`[WHK-009] ${method} is accepted without credentials`, async (t) => {
		const {url, webhooks, caller} = await openIngest(t);
		const status = await new Promise((resolve, reject) => {
			httpRequest(url, {method}, (answer: IncomingMessage) => resolve(answer.resume().statusCode))
				.on('error', reject)
				.end();
		});
		t.is(status, 202);
		const {data} = await webhooks.events.list(caller, {}, {limit: 10, offset: 0});
		t.deepEqual(
			data.map((event) => event.method),
			[method],
		);
	});

test('[WHK-011] an accepted webhook is answered 202 with its event, which is there by then', async (t) => {
	const {url, event} = await openIngest(t);
	const answer = await post(url);
	t.is(answer.status, 202);
	t.regex(answer.headers.get('content-type') ?? '', /^application\/json/);
	t.is(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'");
	t.is(answer.headers.get('x-content-type-options'), 'nosniff');
	t.truthy(answer.headers.get('x-request-id'));
	t.not(answer.headers.get('connection'), 'close');
	const {event_id, ...rest} = (await answer.json()) as {event_id: string};
	t.deepEqual(rest, {status: 'pending'});
	t.is((await event(event_id)).body, '{"a":1}');
});

test('[WHK-010] path, query, repeated headers, bytes and the address of the sender are recorded as they came', async (t) => {
	const {port, endpoint, webhooks, caller, sender} = await openIngest(t);
	const head = [`POST /wh/${endpoint.slug}/a%2Fb//c?x=%20&x=2 HTTP/1.1`, 'Host: x', 'X-Twice: 1', 'x-twice: 2'];
	await sendRaw(port, [...head, 'Content-Length: 2', 'Connection: close', '', '\u00e4'].join('\r\n'));
	const [event] = (await webhooks.events.list(caller, {}, {limit: 1, offset: 0})).data;
	t.like(event, {path: '/a%2Fb//c', query: 'x=%20&x=2', source_ip: '127.0.0.1', body: '\u00e4'});
	t.is(event?.headers['X-Twice'] ?? event?.headers['x-twice'], '1, 2');
	const [sent] = await until(() => sender.waiting.length > 0 && sender.waiting, 'the attempt');
	t.deepEqual(sent?.request.headers.slice(0, 2), [
		['X-Twice', '1'],
		['x-twice', '2'],
	]);
});

test('what is accepted is attempted at once', async (t) => {
	const {url, sender, loop} = await openIngest(t);
	await (await post(url)).text();
	await until(() => sender.waiting.length === 1, 'the attempt');
	sender.giveAll();
	await until(() => loop.ends.length === 1, 'its end');
	t.deepEqual(loop.ends, ['delivered']);
});

test('[WHK-013 WHK-014] an unknown slug, an inactive endpoint and what is no slug are 404', async (t) => {
	const {url, webhooks, caller, endpoint, count} = await openIngest(t);
	for (const path of ['/../wh/unknown', '/../wh/', '/../wh/a b', `/../wh/${'x'.repeat(200)}`]) {
		const answer = await post(url + path);
		t.is(answer.status, 404, path);
		t.is(((await answer.json()) as {error: {code: string}}).error.code, 'resource_not_found');
	}
	await webhooks.endpoints.update(caller, endpoint.id, {is_active: false});
	t.is((await post(url)).status, 404);
	t.is(await count(), 0);
});

const chunked = (head: string, parts: readonly string[]) =>
	`${head}${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;

test('[WHK-017] a chunked body over the limit is 413 as soon as it is over; one at the limit is taken', async (t) => {
	const {port, endpoint, count} = await openIngest(t, {settings: {max_body_bytes: 1000}});
	const head = `POST /wh/${endpoint.slug} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
	t.is((await sendRaw(port, chunked(head, ['x'.repeat(600), 'x'.repeat(400)]))).status, 202);
	const endless = `${head}258\r\n${'x'.repeat(600)}\r\n258\r\n${'x'.repeat(600)}\r\n`;
	const refused = await sendRaw(port, endless);
	t.is(refused.status, 413, 'although the body goes on');
	t.regex(refused.body, /payload_too_large/);
	t.is(await count(), 1);
});

test('[WHK-015] a body that says it is over 1 MiB is 413 before it is read', async (t) => {
	const {port, endpoint, url, count} = await openIngest(t);
	const head = `POST /wh/${endpoint.slug} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
	t.is((await sendRaw(port, `${head}Content-Length: 1048577\r\n\r\n`)).status, 413);
	t.is((await post(url, {body: 'x'.repeat(1024 * 1024)})).status, 202);
	t.is((await post(url, {body: 'x'.repeat(1024 * 1024 + 1)})).status, 413);
	t.is(await count(), 1);
});

test('a client that waits for 100 Continue gets it', async (t) => {
	const {url} = await openIngest(t);
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		const request = httpRequest(url, {method: 'POST', headers: {expect: '100-continue', 'content-length': 2}}, resolve);
		request.on('continue', () => request.end('{}')).on('error', reject);
		request.flushHeaders();
	});
	t.is(answer.resume().statusCode, 202);
});

test('[WHK-018] a webhook that cannot be verified is 401, leaves nothing behind, and the log says why', async (t) => {
	const {url, count, logs, sender} = await openIngest(t, {endpoint: {verification: {type: 'github', secret: 'known'}}});
	const answer = await post(url, {headers: {'x-hub-signature-256': 'sha256=00'}});
	t.is(answer.status, 401);
	t.notRegex(await answer.text(), /signature/);
	t.regex(logs.join(), /signature/);
	t.is(await count(), 0);
	t.is(sender.waiting.length, 0);
});

test('[WHK-019] while the store is down a webhook is 503 with Retry-After; on any other fault 500, never 2xx', async (t) => {
	let fault: Error = new DomainError('service_unavailable');
	const {url, loop} = await openIngest(t, {intake: () => ({accept: () => Promise.reject(fault)})});
	const down = await post(url);
	t.is(down.status, 503);
	t.regex(down.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
	fault = new Error('secret detail');
	const broken = await post(url);
	t.is(broken.status, 500);
	t.notRegex(await broken.text(), /secret detail/);
	for (let count = 0; count < 600; count += 1) loop.reserve()?.take([]);
	t.truthy(loop.reserve(), 'what was reserved for them is free again');
});

test('[WHK-020] beyond the plan a webhook is 429 with Retry-After', async (t) => {
	const {url} = await openIngest(t, {
		intake: () => ({accept: async () => ({outcome: 'over_limit', retry_after_seconds: 777}) as const}),
	});
	const answer = await post(url);
	t.is(answer.status, 429);
	t.is(answer.headers.get('retry-after'), '777');
});

for (const [response, type] of [
	[{status: 200, body: '{"ok":true}'}, /^application\/json/],
	[{status: 201, body: '<b>thanks</b>'}, /^text\/plain/],
	[{status: 204, body: 'not sent'}, undefined],
] as const) {
	test(`[WHK-089] an endpoint that answers ${response.status} by itself does`, async (t) => {
		const {url, count} = await openIngest(t, {endpoint: {response}});
		const answer = await post(url);
		t.is(answer.status, response.status);
		t.is(await answer.text(), response.status === 204 ? '' : response.body);
		if (type) t.regex(answer.headers.get('content-type') ?? '', type);
		t.is(await count(), 1);
	});
}

test('a sender that goes away in the middle of its body leaves nothing behind', async (t) => {
	const {port, endpoint, answered, count} = await openIngest(t);
	const socket = connect(port, '127.0.0.1', () =>
		socket.write(`POST /wh/${endpoint.slug} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`, () =>
			socket.destroy(),
		),
	);
	await until(() => answered.length === 1, 'the end');
	t.is(await count(), 0);
});

test('what comes one after the other on a connection is accepted in that order, and answered in it', async (t) => {
	const accepted: string[] = [];
	let asked = 0;
	const {port, endpoint} = await openIngest(t, {
		intake: ({ownerOf, accept}) => ({
			ownerOf: async (slug) => {
				asked += 1;
				// The first takes longest.
				for (let turn = 10 * asked; turn < 40; turn += 1) await new Promise((next) => setImmediate(next));
				return ownerOf(slug);
			},
			accept: async (slug, webhook, leases) => {
				accepted.push(webhook.path);
				return accept(slug, webhook, leases);
			},
		}),
	});
	const paths = ['/1', '/2', '/3', '/4'];
	const requestTo = (path: string, connection: string) =>
		`POST /wh/${endpoint.slug}${path} HTTP/1.1\r\nhost: a\r\nconnection: ${connection}\r\ncontent-length: 7\r\n\r\n{"a":1}`;
	const {text} = await sendRaw(
		port,
		paths.map((path, index) => requestTo(path, index === 3 ? 'close' : 'keep-alive')).join(''),
	);
	t.deepEqual(accepted, paths);
	t.is(text.match(/HTTP\/1\.1 202/g)?.length, 4);
});
