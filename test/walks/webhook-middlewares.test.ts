import test from 'ava';
import {type Api, createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const unknownId = '01890000-0000-7000-8000-000000000000';

const start = async (t: {teardown(end: () => Promise<void>): void}) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	const wanted = {name: 'Orders', destination_url: 'http://127.0.0.1:9/hook'};
	const endpoint = (await me.api.post('/v1/webhook/endpoints', wanted)).body;
	const path = `/v1/webhook/endpoints/${endpoint.id}/middlewares`;
	return {server, api, mine: me.api, theirs: other.api, path, endpoint};
};

const filter = {type: 'filter', name: 'no drafts', config: {field: 'body.draft', operator: 'equals', value: 'true'}};
const delay = {type: 'delay', name: 'later', config: {seconds: 5}};

const namesOf = async (api: Api, path: string) => (await api.get(path)).body.data.map(({name}: {name: string}) => name);

test('[MID-001 MID-002 MID-007] type, name and config make a step, active unless it says otherwise', async (t) => {
	const {mine, path, endpoint} = await start(t);
	const reply = await mine.post(path, filter);
	t.is(reply.status, 201);
	const {id} = reply.body;
	t.deepEqual(reply.body, {id, endpoint_id: endpoint.id, ...filter, sort_order: 0, is_active: true});
	t.is((await mine.post(path, {...delay, is_active: false})).body.is_active, false);
});

test('[MID-003 MID-004 MID-005] type, name and config are required: 400 that names what is missing', async (t) => {
	const {mine, path} = await start(t);
	for (const field of ['type', 'name', 'config'] as const) {
		const {[field]: _, ...rest} = filter;
		const reply = await mine.post(path, rest);
		t.is(reply.status, 400);
		t.deepEqual(reply.body.error.details[0], {path: field, message: 'is required'});
	}
	t.deepEqual((await mine.get(path)).body, {data: []});
});

test('[MID-006 MID-034 MID-057] an unknown type, an unknown operator and a delay that is too long are 400', async (t) => {
	const {mine, path} = await start(t);
	const {id} = (await mine.post(path, filter)).body;
	const wrong: readonly (readonly [string, object])[] = [
		['type', {...filter, type: 'throttle'}],
		['config.operator', {...filter, config: {...filter.config, operator: 'like'}}],
		['config.seconds', {...delay, config: {seconds: 86_401}}],
	];
	for (const [field, body] of wrong)
		for (const reply of [await mine.post(path, body), await mine.put(`${path}/${id}`, body)]) {
			t.is(reply.status, 400);
			t.is(reply.body.error.details[0].path, field);
		}
});

test('[MID-026 MID-027] a config has the shape of its type: an unknown, missing or wrongly typed property is 400', async (t) => {
	const {mine, path} = await start(t);
	const {field, operator, value} = filter.config;
	const shapes: readonly (readonly [string, string, object])[] = [
		['filter', 'config.operator', {field, value}],
		['filter', 'config.value', {field, operator}],
		['filter', 'config.field', {field: 1, operator, value}],
		['filter', 'config.not', {field, operator, value, not: true}],
		['transform_headers', 'config.set', {set: ['a']}],
		['transform_headers', 'config.add', {add: {a: 'b'}}],
		['transform_body', 'config.remove', {remove: 'a'}],
		['delay', 'config.seconds', {seconds: '5'}],
		['deduplicate', 'config.ttl', {key: 'body.id'}],
	];
	for (const [type, path_, config] of shapes) {
		const reply = await mine.post(path, {type, name: 'step', config});
		t.is(reply.status, 400, JSON.stringify(config));
		t.is(reply.body.error.details[0].path, path_);
	}
});

test('[MID-041 MID-044 MID-045] what cannot be compiled is 400 at create and names the field', async (t) => {
	const {mine, path} = await start(t);
	const malformed: readonly (readonly [string, object])[] = [
		['config.value', {field: 'body', operator: 'matches', value: '(a)\\1'}],
		['config.value', {field: 'body', operator: 'matches', value: 'a(?!b)'}],
		['config.value', {field: 'body', operator: 'matches', value: '[z-a]'}],
		['config.field', {field: 'payload.x', operator: 'exists'}],
		['config.field', {field: '$..[?(@.a', operator: 'exists'}],
	];
	for (const [field, config] of malformed) {
		const reply = await mine.post(path, {type: 'filter', name: 'step', config});
		t.is(reply.status, 400, JSON.stringify(config));
		t.deepEqual(
			reply.body.error.details.map((detail: {path: string}) => detail.path),
			[field],
		);
	}
});

test('[MID-052] __proto__, constructor and prototype are 400, as they come over the wire', async (t) => {
	const {mine, path} = await start(t);
	for (const name of ['__proto__', 'constructor', 'prototype', 'a.__proto__.b']) {
		const body = `{"type":"transform_body","name":"step","config":{"set":{${JSON.stringify(name)}:1}}}`;
		t.is((await mine.post(path, body)).status, 400, name);
	}
	t.deepEqual((await mine.get(path)).body, {data: []});
});

test('[MID-008 MID-009] the list holds inactive steps too; update changes what is given', async (t) => {
	const {mine, path} = await start(t);
	const {id} = (await mine.post(path, filter)).body;
	await mine.post(path, {...delay, is_active: false});
	t.deepEqual(await namesOf(mine, path), ['no drafts', 'later']);
	const url = `${path}/${id}`;
	t.like((await mine.put(url, {name: 'renamed'})).body, {...filter, name: 'renamed', is_active: true});
	t.like((await mine.put(url, {is_active: false})).body, {...filter, name: 'renamed', is_active: false});
	t.is((await mine.put(url, {type: 'delay'})).status, 400);
	const changed = await mine.put(url, {type: 'delay', config: {seconds: 1}});
	t.is(changed.status, 200);
	t.like(changed.body, {type: 'delay', name: 'renamed', is_active: false});
});

test('[MID-010 MID-021] a deleted step is gone; an unknown one is 404', async (t) => {
	const {mine, path} = await start(t);
	const {id} = (await mine.post(path, filter)).body;
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.deepEqual((await mine.get(path)).body, {data: []});
	for (const gone of [id, unknownId]) {
		t.is((await mine.delete(`${path}/${gone}`)).status, 404);
		t.is((await mine.put(`${path}/${gone}`, {name: 'x'})).status, 404);
	}
});

test('[MID-011 MID-012] reorder takes exactly the ids of the endpoint, and the list follows', async (t) => {
	const {mine, path} = await start(t);
	const ids: string[] = [];
	for (const name of ['a', 'b', 'c']) ids.push((await mine.post(path, {...delay, name})).body.id);
	const [a, b, c] = ids;
	const reorder = (middleware_ids: unknown) => mine.put(`${path}/reorder`, {middleware_ids});
	for (const wrong of [[], [a, b], [a, b, b], [a, b, c, c], [a, b, unknownId], 'a', undefined])
		t.is((await reorder(wrong)).status, 400, JSON.stringify(wrong));
	const reordered = await reorder([c, a, b]);
	t.is(reordered.status, 200);
	t.deepEqual(
		reordered.body.data.map(({name}: {name: string}) => name),
		['c', 'a', 'b'],
	);
	t.deepEqual(await namesOf(mine, path), ['c', 'a', 'b']);
});

test('[MID-013 MID-014 MID-016] a sample goes through all active steps, and each answers', async (t) => {
	const {mine, path} = await start(t);
	const ids: string[] = [];
	const set = {type: 'transform_body', name: 'mark', config: {set: {seen: true}}};
	for (const step of [filter, {...delay, is_active: false}, set]) ids.push((await mine.post(path, step)).body.id);
	const sample = {method: 'PUT', headers: {'X-A': '1'}, query: 'b=2', body: {draft: false}};
	const reply = await mine.post(`${path}/test`, sample);
	t.is(reply.status, 200);
	t.deepEqual(reply.body, {
		outcome: 'passed',
		delay_seconds: 0,
		steps: [
			{
				middleware_id: ids[0],
				name: 'no drafts',
				type: 'filter',
				outcome: 'passed',
				message: 'body.draft: "false" does not equal "true"',
			},
			{
				middleware_id: ids[2],
				name: 'mark',
				type: 'transform_body',
				outcome: 'passed',
				message: '1 field set, 0 paths removed',
				body: '{"draft":false,"seen":true}',
			},
		],
		result: {headers: {'X-A': '1'}, body: '{"draft":false,"seen":true}'},
	});
	t.is((await mine.post(`${path}/test`, {body: {draft: true}})).body.outcome, 'blocked');
	t.is((await mine.post(`${path}/test`, {})).status, 200);
	t.is((await mine.post(`${path}/test`, {payload: {}})).status, 400);
	t.is((await mine.post(`${path}/test`, {headers: {'a b': 'x'}})).status, 400);
});

test('[MID-015 MID-017 MID-018] a test neither delivers nor remembers, whatever its outcome', async (t) => {
	const {server, mine, path} = await start(t);
	await mine.post(path, {type: 'deduplicate', name: 'once', config: {key: 'body.id', ttl: 60}});
	await mine.post(path, {type: 'transform_body', name: 'mark', config: {set: {seen: true}}});
	const outcome = async (body: unknown) => (await mine.post(`${path}/test`, {body})).body.outcome;
	t.is(await outcome({id: 1}), 'passed');
	t.is(await outcome({id: 1}), 'passed');
	t.is(await outcome('no JSON'), 'error');
	t.is((await mine.get('/v1/webhook/events')).body.total, 0);
	t.is(await server.composition.ports.deliveries.nextDue(), undefined);
});

test('[MID-019 RTE-015] every operation on steps and rules wants credentials', async (t) => {
	const {api, path, endpoint} = await start(t);
	const rules = `/v1/webhook/endpoints/${endpoint.id}/routing-rules`;
	for (const url of [path, rules]) {
		t.is((await api.get(url)).status, 401);
		t.is((await api.post(url, {})).status, 401);
		t.is((await api.put(`${url}/${unknownId}`, {})).status, 401);
		t.is((await api.delete(`${url}/${unknownId}`)).status, 401);
		t.is((await api.post(`${url}/test`, {})).status, 401);
	}
	t.is((await api.put(`${path}/reorder`, {})).status, 401);
	t.is((await api.put(`/v1/webhook/endpoints/${endpoint.id}/routing-mode`, {})).status, 401);
});

const endpointsOf = (id: string) => `/v1/webhook/endpoints/${id}`;

const rule = {name: 'all', destination_url: 'http://127.0.0.1:9/', is_active: true};

test('[MID-020 RTE-016] an unknown endpoint, and one of others, is 404 for every operation on steps and rules', async (t) => {
	const {mine, theirs, endpoint} = await start(t);
	for (const [api, id] of [
		[mine, unknownId],
		[theirs, endpoint.id],
	] as const) {
		const base = endpointsOf(id);
		const replies = [
			await api.get(`${base}/middlewares`),
			await api.post(`${base}/middlewares`, filter),
			await api.put(`${base}/middlewares/${unknownId}`, {name: 'x'}),
			await api.delete(`${base}/middlewares/${unknownId}`),
			await api.put(`${base}/middlewares/reorder`, {middleware_ids: []}),
			await api.post(`${base}/middlewares/test`, {}),
			await api.get(`${base}/routing-rules`),
			await api.post(`${base}/routing-rules`, rule),
			await api.put(`${base}/routing-rules/${unknownId}`, {name: 'x'}),
			await api.delete(`${base}/routing-rules/${unknownId}`),
			await api.put(`${base}/routing-mode`, {routing_mode: 'broadcast'}),
			await api.post(`${base}/routing-rules/test`, {}),
		];
		t.deepEqual(
			replies.map(({status}) => status),
			replies.map(() => 404),
		);
	}
});

test('an endpoint takes 50 steps: one more is a 409 that says so', async (t) => {
	const {mine, path} = await start(t);
	const made = await Promise.all(Array.from({length: 50}, () => mine.post(path, filter)));
	t.deepEqual(new Set(made.map(({status}) => status)), new Set([201]));
	const {status, body} = await mine.post(path, filter);
	t.is(status, 409);
	t.like(body.error, {
		code: 'conflict',
		message: 'The endpoint has 50 of them already, and takes no more: delete one.',
	});
	t.is((await mine.delete(`${path}/${made[0]?.body.id}`)).status, 204);
	t.is((await mine.post(path, filter)).status, 201);
});
