import test from 'ava';
import {type Script, startScriptedUpstream} from '../../../../test/support/mcp/scripted-upstream.ts';
import {until} from '../../../../test/support/mcp/until.ts';
import {openProxy, post, rpc} from './open-proxy.ts';

/** An answer without end. */
const stream: Script = (_request, response) => {
	response.writeHead(200, {'content-type': 'text/event-stream'}).write(': welcome\n\n');
};

const open = async (t: Parameters<typeof openProxy>[0], settings: object) => {
	const upstream = await startScriptedUpstream(stream);
	t.teardown(upstream.close);
	const proxy = await openProxy(t, {settings});
	const addServer = async () => proxy.url(await proxy.addServer({target_url: upstream.url}));
	const [one, other] = [await addServer(), await addServer()];
	const leaving = new AbortController();
	const {signal} = leaving;
	t.teardown(() => leaving.abort());
	return {
		proxy,
		upstream,
		one,
		other,
		leaving,
		get: async (address: string) => (await fetch(address, {signal})).status,
		listen: async (address: string) => await post(address, rpc('subscriptions/listen'), {signal}),
	};
};

test('a server has so many streams without end at once, whatever begins them; calls pass all the same', async (t) => {
	const {proxy, upstream, one, other, get, listen, leaving} = await open(t, {max_streams_per_server: 2});
	t.is(await get(one), 200);
	t.is((await listen(one)).status, 200);
	const refused = await fetch(one);
	t.is(refused.status, 429);
	t.is(refused.headers.get('retry-after'), '30');
	t.like(await refused.json(), {jsonrpc: '2.0', id: null, error: {code: 429}});
	t.like(await (await listen(one)).json(), {id: 1, error: {code: 429}});
	t.like((await proxy.calls(1)).at(0), {method: 'subscriptions/listen', status: 'error', status_code: 429});
	t.is(upstream.received.length, 2);
	t.is((await post(one, rpc('ping'), {signal: leaving.signal})).status, 200);
	t.is(await get(other), 200);
});

test('all servers together have so many, and a stream that ended makes room', async (t) => {
	const {upstream, one, other, get, leaving} = await open(t, {max_streams: 2});
	t.deepEqual([await get(one), await get(other)], [200, 200]);
	t.is(await get(other), 429);
	leaving.abort();
	await until(() => upstream.aborted() === 2, 'the end of the streams');
	await until(async () => {
		const ending = new AbortController();
		const {status} = await fetch(other, {signal: ending.signal});
		ending.abort();
		return status === 200;
	}, 'the room for another one');
});

test('a stream ends within seconds once it would not be opened again, and no other one does', async (t) => {
	const upstream = await startScriptedUpstream(stream);
	t.teardown(upstream.close);
	const proxy = await openProxy(t);
	const {core, clock, owner} = proxy;
	const leaving = new AbortController();
	t.teardown(() => leaving.abort());
	const openOn = async (fields: object, headers: Record<string, string> = {}) => {
		const server = await proxy.addServer({target_url: upstream.url, ...fields});
		const response = await fetch(proxy.url(server), {signal: leaving.signal, headers});
		t.is(response.status, 200);
		const state = {hasEnded: false};
		void response.text().then(
			() => Object.assign(state, {hasEnded: true}),
			() => Object.assign(state, {hasEnded: true}),
		);
		return {server, state};
	};
	const made = await core.accounts.apiKeys.create(owner, {name: 'k', scopes: ['proxy']});
	const [kept, ofKey, inactive, deleted] = [
		await openOn({}),
		await openOn({require_auth: true}, {'x-api-key': made.key}),
		await openOn({}),
		await openOn({}),
	];
	await clock.advance(20_000);
	t.false([kept, ofKey, inactive, deleted].some(({state}) => state.hasEnded));
	await core.accounts.apiKeys.delete(owner, made.id);
	await core.mcp.servers.update(owner, inactive.server.id, {is_active: false});
	await core.mcp.servers.delete(owner, deleted.server.id);
	await clock.advance(60_000);
	for (const {state} of [ofKey, inactive, deleted]) await until(() => state.hasEnded, 'the end of the stream');
	t.false(kept.state.hasEnded);
	t.is(upstream.aborted(), 3);
});
