import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {type Api, bearer, createApi, type Reply, registerPerson} from '../support/api.ts';
import {rowsOf, tablesOf} from '../support/data-directory.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {startTestServer} from '../support/server.ts';

const filesBelow = async (folder: string): Promise<Buffer[]> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter((entry) => entry.isFile());
	return Promise.all(files.map(async (file) => readFile(join(file.parentPath, file.name))));
};

/** Everything in the database, also what it has not written to a file, and none of the files of a server that keeps many. */
const valuesIn = async (folder: string): Promise<Buffer[]> => {
	const rows = await Promise.all((await tablesOf(folder)).map((table) => rowsOf(folder, `SELECT * FROM ${table}`)));
	const values = rows.flat().flatMap((row) => Object.values(row));
	return values.map((value) => Buffer.from(value instanceof Uint8Array ? value : String(value)));
};

/** Keeps every secret, and every answer with the secrets cut from it that it is there to hand out. */
const createLedger = () => {
	const secrets = new Map<string, string>();
	const texts: string[] = [];
	return {
		secrets,
		texts,
		remember: (name: string, secret: string): string => {
			secrets.set(name, secret);
			return secret;
		},
		keep: (reply: Reply, ...handedOut: string[]): Reply => {
			texts.push(handedOut.reduce((rest, secret) => rest.replace(secret, ''), reply.text));
			return reply;
		},
	};
};

type Ledger = ReturnType<typeof createLedger>;

/** Registers, signs in and refreshes: every token there is. Answers the API as that person. */
const signIn = async (api: Api, {keep, remember}: Ledger) => {
	const person = await registerPerson(api, 'secretive');
	remember('password', person.password);
	remember('registered access token', person.access_token);
	remember('registered refresh token', person.refresh_token);
	const login = await api.post('/v1/auth/login', {email: person.email, password: person.password});
	keep(login, remember('access token', login.body.access_token), remember('refresh token', login.body.refresh_token));
	const {body, ...rest} = await api.post('/v1/auth/refresh', {refresh_token: login.body.refresh_token});
	const {access_token, refresh_token} = body;
	keep({...rest, body}, access_token, remember('rotated refresh token', refresh_token));
	return {person, access_token, mine: api.with(bearer(access_token))};
};

const createKey = async (mine: Api, {keep, remember}: Ledger): Promise<string> => {
	const create = async () =>
		mine.post('/v1/api-keys', {name: 'k', scopes: ['api', 'proxy']}, {'idempotency-key': 'once'});
	const first = await create();
	const key = remember('api key', first.body.key);
	remember('api key secret', key.slice('sbx_12345678_'.length));
	keep(first, key);
	keep(await create(), key);
	return key;
};

/** A server whose address and headers hold secrets, called with each credential there is. */
const callServer = async (t: ExecutionContext, walk: Walk) => {
	const {api, mine, key, access_token, upstream, ledger} = walk;
	const {keep, remember} = ledger;
	const value = remember('variable', 'the-value-of-the-variable');
	const changed = remember('changed variable', 'the-changed-value-of-it');
	const header = remember('upstream header', 'the-header-of-the-upstream');
	const variable = keep(await mine.post('/v1/environment', {key: 'TOKEN', value, scope: 'mcp'})).body;
	const settings = {
		name: 'tools',
		target_url: `${upstream.url}?token={{env.TOKEN}}`,
		upstream_headers: {'x-upstream': header, 'x-token': '{{env.TOKEN}}'},
	};
	const {slug} = keep(await mine.post('/v1/mcp/servers', settings)).body;
	const send = async (headers: Record<string, string>) =>
		keep(await api.post(`/p/${slug}`, toolCall('get_item'), {accept: 'application/json', ...headers}));
	t.is((await send({'x-api-key': key})).status, 200);
	t.is((await send(bearer(access_token))).status, 200);
	t.is((await send({'x-api-key': 'sbx_00000000_wrong'})).status, 401);
	t.is(upstream.received[0]?.headers['x-upstream'], header);
	t.is(upstream.received[0]?.headers['x-token'], value);
	t.true(upstream.received.every(({headers}) => !('x-api-key' in headers) && !('authorization' in headers)));
	keep(await mine.put(`/v1/environment/${variable.id}`, {value: changed}));
	await send({});
	keep(await mine.delete(`/v1/environment/${variable.id}`));
	t.not((await send({})).status, 200);
	keep(await mine.post('/v1/environment', {key: '1BAD', value}));
	keep(await mine.post('/v1/environment', {key: 'GOOD', value, surprise: value}));
};

const readEverything = async ({mine, ledger: {keep}}: Walk): Promise<void> => {
	const lists = ['/v1/auth/me', '/v1/environment', '/v1/api-keys', '/v1/mcp/servers', '/v1/audit', '/v1/mcp/calls'];
	for (const path of [...lists, '/metrics', '/v1/mcp/calls?limit=100']) keep(await mine.get(path));
	for (const {id} of (await mine.get('/v1/mcp/calls')).body.data) keep(await mine.get(`/v1/mcp/calls/${id}`));
};

const changePassword = async ({api, mine, person, ledger}: Walk): Promise<void> => {
	const {email, password: current_password} = person;
	const new_password = ledger.remember('new password', 'another long password');
	ledger.keep(await mine.post('/v1/auth/change-password', {current_password, new_password}));
	ledger.keep(await api.post('/v1/auth/login', {email, password: `${new_password}x`}));
};

const startWalk = async (t: ExecutionContext) => {
	const server = await startTestServer({env: {LOG_LEVEL: 'trace'}});
	t.teardown(server.close);
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const ledger = createLedger();
	const api = createApi(server.baseUrl);
	const signedIn = await signIn(api, ledger);
	return {server, upstream, ledger, api, ...signedIn, key: await createKey(signedIn.mine, ledger)};
};

type Walk = Awaited<ReturnType<typeof startWalk>>;

test('no secret shows but in the one answer that hands it out: not in answers, logs, files or the database', async (t) => {
	const walk = await startWalk(t);
	await callServer(t, walk);
	await readEverything(walk);
	await changePassword(walk);
	const {dataDir} = walk.server;
	const kept = [...(await filesBelow(dataDir)), ...(await valuesIn(dataDir))];
	const logs = walk.server.logs().join('\n');
	t.true(kept.length > 100 && logs.length > 0);
	for (const [name, secret] of walk.ledger.secrets) {
		t.is(walk.ledger.texts.filter((text) => text.includes(secret)).length, 0, `${name} in an answer`);
		t.false(logs.includes(secret), `${name} in the logs`);
		t.is(kept.filter((bytes) => bytes.includes(secret)).length, 0, `${name} in a file or the database`);
	}
});
