import {randomBytes} from 'node:crypto';
import test from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {changeRow, makeDataDirectory, removeDataDirectory, rowsOf} from '../support/data-directory.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {startTestServer} from '../support/server.ts';

type Context = {teardown(end: () => Promise<void>): void};

const inFolder = async (t: Context): Promise<string> => {
	const folder = await makeDataDirectory('encryption');
	t.teardown(async () => removeDataDirectory(folder));
	return folder;
};

const startUpstream = async (t: Context) => {
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	return upstream;
};

const masterKey = (kid: string): string => `${kid}:${randomBytes(32).toString('base64')}`;

const registerServer = async (t: Context, upstream: string) => {
	const folder = await inFolder(t);
	const server = await startTestServer({env: {DATA_DIR: folder}});
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [mine, theirs] = [(await registerPerson(api)).api, await registerPerson(api)];
	const variable = (await mine.post('/v1/environment', {key: 'TOKEN', value: 'the-value', scope: 'mcp'})).body;
	const settings = {name: 'tools', target_url: upstream, upstream_headers: {'x-token': '{{env.TOKEN}}'}};
	const mcp = (await mine.post('/v1/mcp/servers', settings)).body;
	const call = async () => api.post(`/p/${mcp.slug}`, toolCall('get_item'), {accept: 'application/json'});
	return {folder, api, mine, theirs, variable, mcp, call};
};

/** Of the one variable there is. */
const flipBit = async (folder: string): Promise<void> => {
	const [row] = await rowsOf(folder, 'select value_data from variables');
	const sealed = String(row?.value_data);
	const flipped = `${sealed.slice(0, 40)}${String.fromCharCode(sealed.charCodeAt(40) + 1)}${sealed.slice(41)}`;
	await changeRow(folder, 'update variables set value_data = ?', flipped);
};

test('a flipped bit in a sealed value is refused, and nothing is sent to the upstream', async (t) => {
	const upstream = await startUpstream(t);
	const {folder, call} = await registerServer(t, upstream.url);
	t.is((await call()).status, 200);
	t.is(upstream.received[0]?.headers['x-token'], 'the-value');
	await flipBit(folder);
	const refused = await call();
	t.is(refused.status, 502);
	t.false(refused.text.includes('the-value'));
	t.is(upstream.received.length, 1);
});

test('a sealed value moved to another tenant does not open there', async (t) => {
	const upstream = await startUpstream(t);
	const {folder, api, theirs, variable} = await registerServer(t, upstream.url);
	const settings = {name: 'tools', target_url: upstream.url, upstream_headers: {'x-token': '{{env.TOKEN}}'}};
	const mcp = (await theirs.api.post('/v1/mcp/servers', settings)).body;
	await changeRow(
		folder,
		'update variables set user_id = ?, owner_id = ? where id = ?',
		theirs.id,
		theirs.id,
		variable.id,
	);
	t.is((await theirs.api.get('/v1/environment')).body.data.length, 1);
	const refused = await api.post(`/p/${mcp.slug}`, toolCall('get_item'), {accept: 'application/json'});
	t.is(refused.status, 502);
	t.is(upstream.received.length, 0);
});

test('master keys rotate while reads go on, and afterwards the old key is not needed', async (t) => {
	const upstream = await startUpstream(t);
	const folder = await inFolder(t);
	const [old, fresh] = [masterKey('old'), masterKey('fresh')];
	const startWith = async (...keys: string[]) =>
		startTestServer({env: {DATA_DIR: folder, SIGNALBOX_MASTER_KEYS: keys.join(',')}});

	const before = await startWith(old);
	const {api: mine} = await registerPerson(createApi(before.baseUrl));
	const names = Array.from({length: 150}, (_, index) => `TOKEN_${index}`);
	for (const key of names) await mine.post('/v1/environment', {key, value: `value of ${key}`});
	const headers = Object.fromEntries(names.slice(0, 20).map((key) => [`x-${key}`, `{{env.${key}}}`]));
	const settings = {name: 'tools', target_url: upstream.url, upstream_headers: headers};
	const {slug} = (await mine.post('/v1/mcp/servers', settings)).body;
	await before.close();

	const callOn = async (baseUrl: string) =>
		(await createApi(baseUrl).post(`/p/${slug}`, toolCall('get_item'), {accept: 'application/json'})).status;
	const during = await startWith(fresh, old);
	let isRotated = false;
	const reads = (async () => {
		const statuses: number[] = [];
		while (!isRotated) statuses.push(await callOn(during.baseUrl));
		return statuses;
	})();
	const rotated = await during.composition.core.environment.keyRotation.rotate();
	isRotated = true;
	t.like(rotated, {variables: 150, mcp_servers: 1});
	const statuses = await reads;
	t.true(statuses.length > 0 && statuses.every((status) => status === 200), statuses.join());
	await during.close();

	const after = await startWith(fresh);
	t.teardown(after.close);
	t.is(await callOn(after.baseUrl), 200);
	t.is(upstream.received.at(-1)?.headers['x-token_7'], 'value of TOKEN_7');
	t.like(await after.composition.core.environment.keyRotation.rotate(), {variables: 0, mcp_servers: 0});
});
