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
