import {SignalboxClient, type TokenStore, type Tokens} from '@signalbox/client-sdk';
import test from 'ava';
import {problem, type Script, serve} from './support/script-server.ts';

const pair = (number: number): Tokens => ({access_token: `a${number}`, refresh_token: `r${number}`});

const rememberingStore = (tokens?: Tokens): TokenStore & {history: (Tokens | undefined)[]} => {
	const history: (Tokens | undefined)[] = [tokens];
	return {history, get: () => history.at(-1), set: (next) => void history.push(next)};
};

/** Takes the access token `a2` only, and hands it out for `r1`. */
const expiring: Script = ({path, headers, body}) => {
	if (path === '/v1/auth/refresh')
		return body.includes('"r1"') ? {status: 200, body: pair(2)} : problem(401, 'invalid_token');
	return headers.authorization === 'Bearer a2' ? {status: 200, body: {data: []}} : problem(401, 'token_expired');
};

test('calls that meet an expired access token together share one refresh and all succeed', async (t) => {
	const {baseUrl, received} = await serve(t, expiring);
	const client = new SignalboxClient({baseUrl, tokens: pair(1), retries: 0});
	await Promise.all(Array.from({length: 20}, () => client.teams.list()));
	t.is(received.filter(({path}) => path === '/v1/auth/refresh').length, 1);
	await client.teams.list();
	t.is(received.at(-1)?.headers.authorization, 'Bearer a2');
});

test('a refused call is repeated with its body', async (t) => {
	const {baseUrl, received} = await serve(t, expiring);
	await new SignalboxClient({baseUrl, tokens: pair(1), retries: 0}).teams.create({body: {name: 'one'}});
	t.deepEqual(
		received.map(({path, body}) => [path, body]),
		[
			['/v1/teams', '{"name":"one"}'],
			['/v1/auth/refresh', '{"refresh_token":"r1"}'],
			['/v1/teams', '{"name":"one"}'],
		],
	);
});

test('a session that is over forgets its tokens and says so', async (t) => {
	const {baseUrl, received} = await serve(t, expiring);
	const tokenStore = rememberingStore(pair(7));
	const client = new SignalboxClient({baseUrl, tokenStore, retries: 0});
	await t.throwsAsync(client.teams.list(), {name: 'ApiError', message: 'Because of token_expired.'});
	t.is(tokenStore.history.at(-1), undefined);
	t.is(received.length, 2);
});

test('a refresh that failed in passing keeps the tokens and says what failed', async (t) => {
	const {baseUrl} = await serve(t, ({path}) =>
		path === '/v1/auth/refresh' ? problem(503, 'service_unavailable') : problem(401, 'token_expired'),
	);
	const tokenStore = rememberingStore(pair(1));
	const client = new SignalboxClient({baseUrl, tokenStore, retries: 0});
	await t.throwsAsync(client.teams.list(), {name: 'ApiError', message: 'Because of service_unavailable.'});
	t.deepEqual(tokenStore.history, [pair(1)]);
});

test('a refresh that failed in passing is repeated', async (t) => {
	const {baseUrl, received} = await serve(t, (request, earlier) =>
		request.path === '/v1/auth/refresh' && !earlier.some(({path}) => path === request.path)
			? problem(503, 'service_unavailable')
			: expiring(request, earlier),
	);
	t.deepEqual(await new SignalboxClient({baseUrl, tokens: pair(1), backoffMs: 0}).teams.list(), {data: []});
	t.is(received.filter(({path}) => path === '/v1/auth/refresh').length, 2);
});

test('tokens beside a store that holds others are refused', (t) => {
	const options = {baseUrl: 'http://127.0.0.1', tokens: pair(1), tokenStore: rememberingStore(pair(2))};
	t.throws(() => new SignalboxClient(options), {instanceOf: TypeError, message: /either tokens or a tokenStore/});
});

for (const [outcome, answer] of [
	['succeeds', {status: 200, body: {...pair(2), user: {id: 'ada'}}}],
	['is refused', problem(401, 'invalid_token')],
] as const)
	test(`who signs in during a refresh of somebody else's tokens stays signed in when that ${outcome}`, async (t) => {
		const refresh = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		const {baseUrl} = await serve(t, ({path, headers}) => {
			if (path === '/v1/auth/refresh') return answer;
			if (path === '/v1/auth/login') return {status: 200, body: {...pair(7), user: {id: 'bob'}}};
			return headers.authorization === 'Bearer a7' ? {status: 200, body: {data: []}} : problem(401, 'token_expired');
		});
		const fetch: typeof globalThis.fetch = async (request, init) => {
			if (request instanceof Request && request.url.endsWith('/refresh')) {
				begun.resolve();
				await refresh.promise;
			}
			return globalThis.fetch(request, init);
		};
		const tokenStore = rememberingStore(pair(1));
		const onSessionLost = () => t.fail('the session of whoever signed in goes on');
		const client = new SignalboxClient({baseUrl, tokenStore, retries: 0, fetch, onSessionLost});
		const listed = client.teams.list();
		await begun.promise;
		t.like(await client.signIn({email: 'bob@example.com', password: 'correct horse'}), {id: 'bob'});
		refresh.resolve();
		await t.throwsAsync(
			listed,
			{name: 'ApiError', message: 'Because of token_expired.'},
			'no call of one as the other',
		);
		t.deepEqual(await client.teams.list(), {data: []});
		t.deepEqual(tokenStore.history, [pair(1), pair(7)]);
	});

test('tokens that another client refreshed meanwhile are used, not refreshed again', async (t) => {
	let asked = 0;
	const tokenStore: TokenStore = {get: () => pair(asked++ === 0 ? 1 : 2), set: () => t.fail()};
	const {baseUrl, received} = await serve(t, expiring);
	await new SignalboxClient({baseUrl, tokenStore, retries: 0}).teams.list();
	t.is(received.filter(({path}) => path === '/v1/auth/refresh').length, 0);
});

test('a header of one call wins over that of all, however both are written', async (t) => {
	const {baseUrl, received} = await serve(t, () => ({status: 200, body: {data: []}}));
	const client = new SignalboxClient({baseUrl, apiKey: 'k', teamId: 'a'});
	await client.environment.list({headers: {'X-Team-Id': 'b'}});
	t.is(received[0]?.headers['x-team-id'], 'b');
});

test('an API key goes into its own header, and a refusal of it is final', async (t) => {
	const {baseUrl, received} = await serve(t, () => problem(401, 'invalid_token'));
	const client = new SignalboxClient({baseUrl, apiKey: 'sbx_1', tokens: pair(1), teamId: 't-1', retries: 0});
	await t.throwsAsync(client.auth.me(), {name: 'ApiError'});
	t.is(received.length, 1);
	t.like(received[0]?.headers, {'x-api-key': 'sbx_1', 'x-team-id': 't-1', authorization: undefined});
});

test('[ACC-037] signing in keeps both tokens, and signing out clears both, also when the API is gone', async (t) => {
	const {baseUrl, received} = await serve(t, ({path}) => {
		if (path === '/v1/auth/login') return {status: 200, body: pair(2)};
		return path === '/v1/auth/logout' ? {status: 204} : {status: 200, body: {data: []}};
	});
	const tokenStore = rememberingStore();
	const client = new SignalboxClient({baseUrl, tokenStore, retries: 0});
	await client.signIn({email: 'ada@example.com', password: 'correct horse'});
	await client.teams.list();
	t.is(received.at(-1)?.headers.authorization, 'Bearer a2');
	await client.signOut();
	t.is(received.at(-1)?.body, '{"refresh_token":"r2"}');
	t.deepEqual(tokenStore.history, [undefined, pair(2), undefined]);
	await client.teams.list();
	t.is(received.at(-1)?.headers.authorization, undefined);

	const offline = rememberingStore(pair(1));
	const failing = async (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
	const gone = new SignalboxClient({baseUrl, tokenStore: offline, fetch: failing, retries: 0});
	await t.throwsAsync(gone.signOut(), {message: 'fetch failed'});
	t.is(offline.history.at(-1), undefined);
});
