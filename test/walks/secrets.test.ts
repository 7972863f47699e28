import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {bearer, createApi, type Reply, registerPerson} from '../support/api.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {startTestServer} from '../support/server.ts';

const filesBelow = async (folder: string): Promise<Buffer[]> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter((entry) => entry.isFile());
	return Promise.all(files.map(async (file) => readFile(join(file.parentPath, file.name))));
};

test('no secret shows but in the one answer that hands it out: not in answers, logs or database files', async (t) => {
	const server = await startTestServer({env: {LOG_LEVEL: 'trace'}});
	t.teardown(server.close);
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const api = createApi(server.baseUrl);
	const secrets = new Map<string, string>();
	const replies: Reply[] = [];
	/** Keeps the answer for the search, with the secret that it may hand out cut from it. */
	const keep = (reply: Reply, ...handedOut: string[]): Reply => {
		const text = handedOut.reduce((rest, secret) => rest.replace(secret, ''), reply.text);
		replies.push({...reply, text});
		return reply;
	};
	const remember = (name: string, secret: string): string => {
		secrets.set(name, secret);
		return secret;
	};

	const person = await registerPerson(api, 'secretive');
	remember('password', person.password);
	remember('registered access token', person.access_token);
	remember('registered refresh token', person.refresh_token);

	const login = await api.post('/v1/auth/login', {email: person.email, password: person.password});
	const loginTokens = [login.body.access_token, login.body.refresh_token];
	keep(login, ...loginTokens);
	remember('access token', loginTokens[0]);
	remember('refresh token', loginTokens[1]);
	const refreshed = await api.post('/v1/auth/refresh', {refresh_token: loginTokens[1]});
	keep(refreshed, refreshed.body.access_token, refreshed.body.refresh_token);
	remember('rotated refresh token', refreshed.body.refresh_token);
	const mine = api.with(bearer(refreshed.body.access_token));

	const value = remember('variable', 'the-value-of-the-variable');
	const changed = remember('changed variable', 'the-changed-value-of-it');
	const variable = keep(await mine.post('/v1/environment', {key: 'TOKEN', value, scope: 'mcp'})).body;
	const key = await mine.post('/v1/api-keys', {name: 'k', scopes: ['api', 'proxy']}, {'idempotency-key': 'once'});
	keep(key, key.body.key);
	remember('api key', key.body.key);
	remember('api key secret', key.body.key.split('_').at(-1));
	keep(
		await mine.post('/v1/api-keys', {name: 'k', scopes: ['api', 'proxy']}, {'idempotency-key': 'once'}),
		key.body.key,
	);
	const header = remember('upstream header', 'the-header-of-the-upstream');
	const settings = {
		name: 'tools',
		target_url: `${upstream.url}?token={{env.TOKEN}}`,
		upstream_headers: {'x-upstream': header, 'x-token': '{{env.TOKEN}}'},
	};
	const mcp = keep(await mine.post('/v1/mcp/servers', settings)).body;
	const send = async (headers: Record<string, string>) =>
		keep(await api.post(`/p/${mcp.slug}`, toolCall('get_item'), {accept: 'application/json', ...headers}));
	t.is((await send({'x-api-key': key.body.key})).status, 200);
	t.is((await send(bearer(refreshed.body.access_token))).status, 200);
	t.is((await send({'x-api-key': 'sbx_00000000_wrong'})).status, 401);
	t.is(upstream.received[0]?.headers['x-upstream'], header);
	t.is(upstream.received[0]?.headers['x-token'], value);
	t.true(upstream.received.every(({headers}) => !('x-api-key' in headers) && !('authorization' in headers)));

	keep(await mine.put(`/v1/environment/${variable.id}`, {value: changed}));
	await send({});
	keep(await mine.delete(`/v1/environment/${variable.id}`));
	t.not((await send({})).status, 200);
	const password = remember('new password', 'another long password');
	keep(await mine.post('/v1/auth/change-password', {current_password: person.password, new_password: password}));
	keep(await api.post('/v1/auth/login', {email: person.email, password: `${password}x`}));
	keep(await mine.post('/v1/environment', {key: '1BAD', value}));
	keep(await mine.post('/v1/environment', {key: 'GOOD', value, surprise: value}));
	const lists = ['/v1/auth/me', '/v1/environment', '/v1/api-keys', '/v1/mcp/servers', '/v1/audit', '/v1/mcp/calls'];
	for (const path of [...lists, '/metrics', '/v1/mcp/calls?limit=100']) keep(await mine.get(path));
	for (const {id} of (await mine.get('/v1/mcp/calls')).body.data) keep(await mine.get(`/v1/mcp/calls/${id}`));

	const files = await filesBelow(server.dataDir);
	t.true(files.length > 0);
	const logs = server.logs().join('\n');
	t.true(logs.length > 0);
	for (const [name, secret] of secrets) {
		t.is(replies.filter(({text}) => text.includes(secret)).length, 0, `${name} in an answer`);
		t.false(logs.includes(secret), `${name} in the logs`);
		t.is(files.filter((file) => file.includes(secret)).length, 0, `${name} in a file`);
	}
});
