import test, {type ExecutionContext} from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {jsonRpc} from '../support/json-rpc-upstream.ts';
import {startScriptedUpstream} from '../support/mcp/scripted-upstream.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: ExecutionContext) => {
	const upstream = await startScriptedUpstream();
	const server = await startTestServer();
	t.teardown(server.close);
	t.teardown(upstream.close);
	const {api} = await registerPerson(createApi(server.baseUrl));
	const set = async (key: string, value: string) => await api.post('/v1/environment', {key, value, scope: 'mcp'});
	const register = async (settings: object) => {
		const {body} = await api.post('/v1/mcp/servers', {name: 'tools', ...settings});
		return async () => await createApi(server.proxyUrl).post(`/p/${body.slug}`, jsonRpc('ping'));
	};
	return {api, upstream, set, register};
};

test('[ENV-058] a call goes where target_url resolves to at that moment', async (t) => {
	const {api, upstream, set, register} = await start(t);
	const path = (await set('TENANT', 'acme')).body;
	await set('WHOLE', `${upstream.url}/whole`);
	const ping = await register({target_url: `${upstream.url}/{{env.TENANT}}?of={{ env.TENANT }}`});
	const pingWhole = await register({target_url: '{{env.WHOLE}}'});
	t.is((await ping()).status, 200);
	t.is((await pingWhole()).status, 200);
	await api.put(`/v1/environment/${path.id}`, {value: 'other'});
	t.is((await ping()).status, 200);
	const urls = upstream.received.map(({url}) => url);
	t.deepEqual(urls, ['/mcp/acme?of=acme', '/mcp/whole', '/mcp/other?of=other']);
});

test('[ENV-059] upstream_headers reach the upstream with their variables resolved, and no answer holds the value', async (t) => {
	const {api, upstream, set, register} = await start(t);
	await set('TOKEN', 'hunter2-hunter2');
	const ping = await register({
		target_url: upstream.url,
		upstream_headers: {Authorization: 'Bearer {{env.TOKEN}}', 'X-Plain': 'as it is'},
	});
	t.is((await ping()).status, 200);
	t.like(upstream.received[0]?.headers, {authorization: 'Bearer hunter2-hunter2', 'x-plain': 'as it is'});
	for (const path of ['/v1/mcp/servers', '/v1/mcp/calls']) t.notRegex((await api.get(path)).text, /hunter2/);
});

test('a variable that leads a target to another host takes no upstream_headers along, and the call log says why', async (t) => {
	const {api, upstream, set} = await start(t);
	const other = await startScriptedUpstream();
	t.teardown(other.close);
	const variable = (await set('URL', upstream.url)).body;
	const settings = {name: 'tools', target_url: '{{env.URL}}', upstream_headers: {'X-Token': 'hunter2'}};
	const {body: server} = await api.post('/v1/mcp/servers', settings);
	const call = async () => await api.post(`/p/${server.slug}`, jsonRpc('ping'));
	t.is((await call()).status, 200);
	await api.put(`/v1/environment/${variable.id}`, {value: other.url});
	const refused = await call();
	t.is(refused.status, 502);
	t.regex(refused.text, /another origin.*send upstream_headers anew/);
	t.is(other.received.length, 0);
	const [logged] = (await api.get('/v1/mcp/calls?status=error')).body.data;
	t.regex(logged.error_message, /another origin.*send upstream_headers anew/);
	t.is((await api.put(`/v1/mcp/servers/${server.id}`, {upstream_headers: {'X-Token': 'hunter3'}})).status, 200);
	t.is((await call()).status, 200);
	t.is(other.received[0]?.headers['x-token'], 'hunter3');
});
