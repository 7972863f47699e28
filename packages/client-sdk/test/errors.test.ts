import {ApiError, isApiError, SignalboxClient} from '@signalbox/client-sdk';
import test from 'ava';
import {problem, serve} from './support/script-server.ts';

const get = (baseUrl: string) =>
	new SignalboxClient({baseUrl, apiKey: 'k', retries: 0}).mcp.servers.get({path: {id: 's'}});

test('an answer that says no is an ApiError with status, code, details and request id', async (t) => {
	const {baseUrl} = await serve(t, () => problem(404, 'resource_not_found'));
	const error = await t.throwsAsync(get(baseUrl), {instanceOf: ApiError, message: 'Because of resource_not_found.'});
	t.like(error, {
		name: 'ApiError',
		status: 404,
		code: 'resource_not_found',
		details: [{path: 'name', message: 'is required'}],
		requestId: 'r-1',
	});
});

test('an answer that is not from the API is an ApiError without a code', async (t) => {
	for (const body of ['gone', {}, {error: 'plain'}, null, undefined]) {
		const {baseUrl} = await serve(t, () => ({status: 502, body, headers: {'x-request-id': 'r-2'}}));
		const error = await t.throwsAsync(get(baseUrl), {instanceOf: ApiError, message: 'The API answered 502'});
		t.like(error, {status: 502, code: undefined, details: [], requestId: 'r-2'}, JSON.stringify(body));
	}
});

test('what was never answered rejects with what fetch throws', async (t) => {
	const client = new SignalboxClient({
		baseUrl: 'http://127.0.0.1:9',
		apiKey: 'k',
		retries: 0,
		fetch: async () => {
			throw new TypeError('fetch failed');
		},
	});
	await t.throwsAsync(client.auth.me(), {instanceOf: TypeError, message: 'fetch failed'});
});

test('a call that is not answered in time rejects, and may be repeated', async (t) => {
	const {baseUrl, received} = await serve(t, (_request, earlier) =>
		earlier.length === 0 ? 'hang' : {status: 200, body: {data: []}},
	);
	const options = {baseUrl, apiKey: 'k', timeoutMs: 100, backoffMs: 0};
	// A busy machine may miss the time more than once.
	t.deepEqual(await new SignalboxClient({...options, retries: 100}).teams.list(), {data: []});
	t.true(received.length > 1);
	const stuck = await serve(t, () => 'hang');
	const client = new SignalboxClient({...options, baseUrl: stuck.baseUrl, retries: 0});
	await t.throwsAsync(client.teams.list(), {name: 'TimeoutError'});
});

test('an error is told by its operation and its code, and its types follow', async (t) => {
	const {baseUrl} = await serve(t, () => problem(409, 'conflict'));
	const {mcp} = new SignalboxClient({baseUrl, apiKey: 'k', retries: 0});
	const error: unknown = await t.throwsAsync(mcp.approvals.approve({path: {id: 'a'}}));
	t.true(isApiError(error));
	t.false(isApiError(error, 'mcp.approvals.reject'));
	t.false(isApiError(error, 'mcp.approvals.approve', 'forbidden'));
	if (!isApiError(error, 'mcp.approvals.approve', 'conflict')) return t.fail();
	const status: 409 = error.status;
	t.is(status, 409);
	t.false(isApiError(new TypeError('fetch failed')));
	// @ts-expect-error: deciding an approval makes nothing that a plan limits.
	t.false(isApiError(error, 'mcp.approvals.approve', 'plan_limit_reached'));
});

test('an id that would name another path is refused before anything is sent', async (t) => {
	const {baseUrl, received} = await serve(t, () => ({status: 204}));
	const {teams} = new SignalboxClient({baseUrl, apiKey: 'k'});
	for (const id of ['', '.', '..']) await t.throwsAsync(teams.delete({path: {id}}), {instanceOf: TypeError});
	t.is(received.length, 0);
	await teams.delete({path: {id: '../x?y#z'}});
	t.is(received[0]?.path, '/v1/teams/..%2Fx%3Fy%23z');
});

test('an API behind a path is found there', async (t) => {
	const {baseUrl, received} = await serve(t, () => ({status: 200, body: {data: []}}));
	await new SignalboxClient({baseUrl: `${baseUrl}/signalbox/`, apiKey: 'k'}).teams.list();
	t.is(received[0]?.path, '/signalbox/v1/teams');
});

test('a key that cannot be sent is refused, and stands in no error', (t) => {
	for (const apiKey of ['sbx_anne0000_s€cret', 'sbx\n_anne0000_secret']) {
		const error = t.throws(() => new SignalboxClient({baseUrl: 'http://127.0.0.1:1', apiKey}), {instanceOf: TypeError});
		t.false(error.message.includes('anne'));
	}
});
