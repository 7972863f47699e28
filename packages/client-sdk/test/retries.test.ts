import {SignalboxClient} from '@signalbox/client-sdk';
import test from 'ava';
import {isRepeatable, nextDelay, retryAfterMs} from '../src/retry-delay.ts';
import {createSender, type Fetch} from '../src/sender.ts';
import {problem, type Script, serve} from './support/script-server.ts';

const policy = {retries: 3, backoffMs: 200, longestWaitMs: 60_000};

const failing =
	(times: number): Script =>
	(_request, earlier) =>
		earlier.length < times ? problem(503, 'service_unavailable') : {status: 200, body: {data: []}};

test('a call that does no harm twice is repeated until it succeeds, or the tries are used up', async (t) => {
	const soon = await serve(t, failing(2));
	await new SignalboxClient({baseUrl: soon.baseUrl, apiKey: 'k', backoffMs: 0}).teams.list();
	t.is(soon.received.length, 3);
	const never = await serve(t, failing(99));
	await t.throwsAsync(new SignalboxClient({baseUrl: never.baseUrl, apiKey: 'k', backoffMs: 0}).teams.list(), {
		name: 'ApiError',
	});
	t.is(never.received.length, 3);
});

test('a POST is sent once, unless it carries an Idempotency-Key, and then with the same body', async (t) => {
	const {baseUrl, received} = await serve(t, failing(1));
	const client = new SignalboxClient({baseUrl, apiKey: 'k', backoffMs: 0});
	await t.throwsAsync(client.teams.create({body: {name: 'one'}}), {name: 'ApiError'});
	t.is(received.length, 1);
	const again = await serve(t, failing(1));
	const keyed = new SignalboxClient({baseUrl: again.baseUrl, apiKey: 'k', backoffMs: 0});
	await keyed.teams.create({body: {name: 'two'}, headers: {'Idempotency-Key': 'i-1'}});
	t.deepEqual(
		again.received.map(({body}) => body),
		['{"name":"two"}', '{"name":"two"}'],
	);
});

test('an answer that will not change by itself is not asked for again', async (t) => {
	for (const [status, code] of [
		[400, 'validation_error'],
		[404, 'resource_not_found'],
		[409, 'conflict'],
	] as const) {
		const {baseUrl, received} = await serve(t, () => problem(status, code));
		await t.throwsAsync(new SignalboxClient({baseUrl, apiKey: 'k', backoffMs: 0}).teams.list(), {name: 'ApiError'});
		t.is(received.length, 1, code);
	}
});

test('a repetition that meets its own first request, still at work, is sent again when the server says', async (t) => {
	const {baseUrl, received} = await serve(t, (_request, earlier) => {
		if (earlier.length > 0) return {status: 201, body: {id: '1'}};
		return {...problem(409, 'conflict'), headers: {'retry-after': '0'}};
	});
	const client = new SignalboxClient({baseUrl, apiKey: 'k', backoffMs: 0});
	await client.teams.create({body: {name: 'one'}, headers: {'Idempotency-Key': 'i-1'}});
	t.is(received.length, 2);
});

test('the waits are what the server asks for, else they double, with half of each random', async (t) => {
	const delays: number[] = [];
	const answers = [
		new Response(null, {status: 503}),
		new Response(null, {status: 429, headers: {'retry-after': '7'}}),
		new Response(null, {status: 500}),
		new Response('done'),
	];
	const sender = createSender({
		fetch: (async () => answers.shift() as Response) satisfies Fetch,
		policy,
		timeoutMs: 1000,
		sleep: async (ms) => void delays.push(ms),
		random: () => 0,
	});
	t.is(await (await sender(new Request('http://localhost/'))).text(), 'done');
	t.deepEqual(delays, [100, 7000, 400]);
});

test('a wait longer than a minute is not waited for', (t) => {
	t.is(nextDelay(policy, 1, {asked: 60_000, random: 0}), 60_000);
	t.is(nextDelay(policy, 1, {asked: 60_001, random: 0}), undefined);
	t.is(nextDelay(policy, 3, {asked: undefined, random: 1}), 800);
	t.is(nextDelay(policy, 4, {asked: 0, random: 0}), undefined);
});

test('Retry-After is read as seconds or as a date', (t) => {
	const now = Date.parse('2026-01-01T00:00:00Z');
	t.is(retryAfterMs('3', now), 3000);
	t.is(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now), 5000);
	t.is(retryAfterMs('Thu, 01 Jan 2026 00:00:00 GMT', now + 1), 0);
	t.is(retryAfterMs('soon', now), undefined);
	t.is(retryAfterMs(null, now), undefined);
});

test('a call that its caller gave up is not repeated', async (t) => {
	const giveUp = new AbortController();
	let sent = 0;
	const sender = createSender({
		fetch: async () => {
			sent += 1;
			giveUp.abort(new Error('enough'));
			throw giveUp.signal.reason;
		},
		policy,
		timeoutMs: 1000,
		sleep: async () => t.fail(),
		random: () => 0,
	});
	await t.throwsAsync(sender(new Request('http://localhost/', {signal: giveUp.signal})), {message: 'enough'});
	t.is(sent, 1);
});

test('only what does no harm twice is repeatable', (t) => {
	const request = (method: string, headers = {}) => new Request('http://localhost/', {method, headers});
	for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) t.true(isRepeatable(request(method)), method);
	t.false(isRepeatable(request('POST')));
	t.true(isRepeatable(request('POST', {'idempotency-key': 'i'})));
});
