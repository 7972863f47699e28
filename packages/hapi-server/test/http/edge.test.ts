import {createPasswordHasher} from '@signalbox/core/node';
import test from 'ava';
import {startTestServer, type TestServer} from '../../../../test/support/server.ts';
import {sendRaw} from '../support/raw-http.ts';

let server: TestServer;
let gate: Promise<void> = Promise.resolve();

const hasher = createPasswordHasher({memoryKiB: 8, passes: 1});
const passwords: typeof hasher = {
	hash: hasher.hash,
	verify: async (password, hash) => {
		await gate;
		return hasher.verify(password, hash);
	},
};

test.before(async () => {
	server = await startTestServer({passwords, timeouts: {headers: 150, request: 400, check: 30, idle: 400}});
});
test.after.always(() => server.close());

const errorOf = (body: string) => JSON.parse(body).error;
const post = (headers: string, body = '') =>
	`POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n${body}`;

test('two Host headers are refused with 400, under /v1 and under /p', async (t) => {
	for (const path of ['/v1/auth/me', '/p/some-slug', '/healthz']) {
		const text = `GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`;
		const answer = await sendRaw(server.port, text);
		t.is(answer.status, 400, path);
		t.deepEqual(errorOf(answer.body).details, [{path: 'Host', message: 'must be sent once only'}]);
		t.regex(answer.head, /x-request-id: /i);
	}
});

test('HTTP/1.1 without Host is refused with 400', async (t) => {
	const answer = await sendRaw(server.port, 'GET /healthz HTTP/1.1\r\n\r\n');
	t.is(answer.status, 400);
	t.is(errorOf(answer.body).code, 'validation_error');
});

test('headers that do not arrive in time end the connection with 408', async (t) => {
	const answer = await sendRaw(server.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow:');
	t.is(answer.status, 408);
	t.true(answer.milliseconds < 5000);
	t.is(errorOf(answer.body).code, 'validation_error');
});

test('a body that does not arrive in time ends the connection with 408', async (t) => {
	const answer = await sendRaw(server.port, post('Content-Length: 100\r\n', '{"email":'));
	t.is(answer.status, 408);
	t.true(answer.milliseconds < 5000);
});

test('a slow body to the proxy ends in time too', async (t) => {
	const text =
		'POST /p/some-slug HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
	const answer = await sendRaw(server.port, text);
	t.true(answer.status >= 400 && answer.status < 500);
	t.true(answer.milliseconds < 5000);
});

test('what is no HTTP is a 400 in the envelope', async (t) => {
	const answer = await sendRaw(server.port, 'HELLO\r\n\r\n');
	t.is(answer.status, 400);
	t.is(errorOf(answer.body).code, 'validation_error');
	t.regex(answer.head, /X-Request-Id: /);
});

test('headers without end are 431', async (t) => {
	const answer = await sendRaw(server.port, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n\r\n`);
	t.is(answer.status, 431);
});

test('both lengths at once (request smuggling) are refused', async (t) => {
	const answer = await sendRaw(server.port, post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'));
	t.is(answer.status, 400);
});

test('an answer that takes longer than the limits on reading is not cut', async (t) => {
	const email = 'slow@example.com';
	await fetch(`${server.baseUrl}/v1/auth/register`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({email, password: 'a long password'}),
	});
	const held = Promise.withResolvers<void>();
	gate = held.promise;
	const body = JSON.stringify({email, password: 'a long password'});
	const answer = sendRaw(server.port, post(`Content-Length: ${body.length}\r\n`, body));
	// Cut by the limit: so the answer that is held has been waiting for at least as long.
	t.is((await sendRaw(server.port, post('Content-Length: 100\r\n', '{'))).status, 408);
	held.resolve();
	t.is((await answer).status, 200);
});
