import test from 'ava';
import {type Api, createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const unknownId = '01890000-0000-7000-8000-000000000000';

const start = async (t: {teardown(end: () => Promise<void>): void}, settings: object = {}) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const {api: mine} = await registerPerson(createApi(server.baseUrl), 'me');
	const wanted = {name: 'Orders', destination_url: 'http://127.0.0.1:9/hook', ...settings};
	const endpoint = (await mine.post('/v1/webhook/endpoints', wanted)).body;
	const base = `/v1/webhook/endpoints/${endpoint.id}`;
	return {server, mine, base, path: `${base}/routing-rules`, endpoint};
};

const minimal = {name: 'archive', destination_url: 'http://127.0.0.1:9/archive', is_active: true};

const namesOf = async (api: Api, path: string) => (await api.get(path)).body.data.map(({name}: {name: string}) => name);

test('[RTE-001 RTE-002 RTE-006] name, destination_url and is_active make a rule with every field', async (t) => {
	const {mine, path, endpoint} = await start(t);
	const reply = await mine.post(path, minimal);
	t.is(reply.status, 201);
	t.deepEqual(reply.body, {
		id: reply.body.id,
		endpoint_id: endpoint.id,
		...minimal,
		condition_source: null,
		condition_field: null,
		condition_operator: null,
		condition_value: null,
		retry_config: null,
		headers_override: {},
		transform_body: null,
		sort_order: 0,
	});
});

test('[RTE-003 RTE-004 RTE-005] name, destination_url and is_active are required: 400 that names what is missing', async (t) => {
	const {mine, path} = await start(t);
	for (const field of ['name', 'destination_url', 'is_active'] as const) {
		const {[field]: _, ...rest} = minimal;
		const reply = await mine.post(path, rest);
		t.is(reply.status, 400);
		t.deepEqual(reply.body.error.details[0], {path: field, message: 'is required'});
	}
	t.deepEqual((await mine.get(path)).body, {data: []});
});

const onMethod = {condition_source: 'method', condition_operator: 'equals', condition_value: 'POST'};

for (const [id, condition_operator] of [
	['RTE-037', 'contains'],
	['RTE-038', 'matches'],
	['RTE-039', 'exists'],
])
	test(`[${id}] ${condition_operator} on method is 400 at create and update`, async (t) => {
		const {mine, path} = await start(t);
		const made = await mine.post(path, {...minimal, ...onMethod});
		t.is(made.status, 201);
		const wrong = {...onMethod, condition_operator};
		for (const reply of [
			await mine.post(path, {...minimal, ...wrong}),
			await mine.put(`${path}/${made.body.id}`, wrong),
			await mine.put(`${path}/${made.body.id}`, {condition_operator}),
		]) {
			t.is(reply.status, 400);
			t.is(reply.body.error.details[0].path, 'condition_operator');
		}
	});

test('[RTE-040 RTE-041] sources and operators outside the specification are 400', async (t) => {
	const {mine, path} = await start(t);
	const wrong: readonly (readonly [string, object])[] = [
		['condition_source', {condition_source: 'query', condition_field: 'a'}],
		['condition_operator', {condition_source: 'header', condition_field: 'a', condition_operator: 'like'}],
	];
	for (const [field, change] of wrong) {
		const reply = await mine.post(path, {...minimal, ...onMethod, ...change});
		t.is(reply.status, 400);
		t.is(reply.body.error.details[0].path, field);
	}
});

test('what cannot be compiled, and headers that nobody may set, are 400 and named', async (t) => {
	const {mine, path} = await start(t);
	const onBody = {
		condition_source: 'body',
		condition_field: '$.a',
		condition_operator: 'matches',
		condition_value: 'a',
	};
	const wrong: readonly (readonly [string, object])[] = [
		['condition_field', {...onBody, condition_field: '$.a['}],
		['condition_value', {...onBody, condition_value: '(a'}],
		['transform_body', {transform_body: '{% for %}'}],
		['headers_override.Content-Length', {headers_override: {'Content-Length': '1'}}],
		['destination_url', {destination_url: 'ftp://127.0.0.1/'}],
		['retry_config.intervals', {retry_config: {max_retries: 1, intervals: []}}],
		['colour', {colour: 'red'}],
	];
	for (const [field, change] of wrong) {
		const reply = await mine.post(path, {...minimal, ...change});
		t.is(reply.status, 400, JSON.stringify(change));
		t.is(reply.body.error.details[0].path, field);
	}
});

test('[RTE-007 RTE-051 RTE-052] rules are listed in order; sort_order may be given on create and on update', async (t) => {
	const {mine, path} = await start(t);
	await mine.post(path, {...minimal, name: 'a', sort_order: 5});
	const {id} = (await mine.post(path, {...minimal, name: 'b'})).body;
	await mine.post(path, {...minimal, name: 'c', sort_order: 1, is_active: false});
	t.deepEqual(await namesOf(mine, path), ['c', 'a', 'b']);
	t.is((await mine.put(`${path}/${id}`, {sort_order: 0})).body.sort_order, 0);
	t.deepEqual(await namesOf(mine, path), ['b', 'c', 'a']);
});

test('[RTE-008 RTE-009 RTE-017] update changes what is given; delete is 204; an unknown rule is 404', async (t) => {
	const {mine, path} = await start(t);
	const {id} = (await mine.post(path, {...minimal, ...onMethod})).body;
	const updated = await mine.put(`${path}/${id}`, {name: 'renamed', transform_body: '{{ body }}'});
	t.is(updated.status, 200);
	t.like(updated.body, {...minimal, ...onMethod, name: 'renamed', transform_body: '{{ body }}'});
	t.is((await mine.put(`${path}/${id}`, {condition_source: null})).body.condition_operator, null);
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.deepEqual((await mine.get(path)).body, {data: []});
	for (const gone of [id, unknownId]) {
		t.is((await mine.delete(`${path}/${gone}`)).status, 404);
		t.is((await mine.put(`${path}/${gone}`, {name: 'x'})).status, 404);
	}
});

test('[RTE-010 RTE-011 RTE-012] routing-mode takes a mode, answers the endpoint, and refuses others', async (t) => {
	const {mine, base} = await start(t);
	for (const routing_mode of ['first_match', 'all_match', 'broadcast', 'single']) {
		const reply = await mine.put(`${base}/routing-mode`, {routing_mode});
		t.is(reply.status, 200);
		t.like(reply.body, {name: 'Orders', routing_mode, signing_secret: '********'});
		t.is((await mine.get(base)).body.routing_mode, routing_mode);
	}
	for (const body of [{routing_mode: 'random'}, {routing_mode: null}, {}, {mode: 'single'}])
		t.is((await mine.put(`${base}/routing-mode`, body)).status, 400);
});

test('[RTE-018] the routing mode of a new endpoint is single', async (t) => {
	const {endpoint} = await start(t);
	t.is(endpoint.routing_mode, 'single');
});

test('[RTE-013 RTE-014 MID-014] the routing test answers where a sample would go, and why', async (t) => {
	const {mine, base, path} = await start(t, {routing_mode: 'all_match'});
	const gold = {
		condition_source: 'body',
		condition_field: '$.tier',
		condition_operator: 'equals',
		condition_value: 'gold',
	};
	const overridden = {headers_override: {'x-key': '{{env.KEY}}'}, transform_body: 'tier {{ body.tier }}'};
	const {id} = (await mine.post(path, {...minimal, ...gold, ...overridden})).body;
	const {id: other} = (await mine.post(path, {...minimal, ...onMethod, name: 'posts'})).body;
	const reply = await mine.post(`${path}/test`, {method: 'PUT', headers: {'X-A': '1'}, body: {tier: 'gold'}});
	t.is(reply.status, 200);
	t.deepEqual(reply.body, {
		routing_mode: 'all_match',
		destinations: [
			{
				rule_id: id,
				name: 'archive',
				url: minimal.destination_url,
				headers: {'X-A': '1', 'x-key': '{{env.KEY}}'},
				body: 'tier gold',
			},
		],
		rules: [
			{rule_id: id, name: 'archive', matched: true, reason: '"gold" equals "gold"'},
			{rule_id: other, name: 'posts', matched: false, reason: '"PUT" does not equal "POST"'},
		],
	});
	await mine.put(`${base}/routing-mode`, {routing_mode: 'single'});
	const single = await mine.post(`${path}/test`, {});
	t.like(single.body, {routing_mode: 'single', rules: [], destinations: [{rule_id: null, name: 'Orders'}]});
	t.is((await mine.post(`${path}/test`, {sample: {}})).status, 400);
});

test('an endpoint takes 100 rules: one more is a 409 that says so', async (t) => {
	const {mine, path} = await start(t);
	const made = await Promise.all(Array.from({length: 100}, () => mine.post(path, minimal)));
	t.deepEqual(new Set(made.map(({status}) => status)), new Set([201]));
	const {status, body} = await mine.post(path, minimal);
	t.is(status, 409);
	t.like(body.error, {
		code: 'conflict',
		message: 'The endpoint has 100 of them already, and takes no more: delete one.',
	});
	t.is((await mine.delete(`${path}/${made[0]?.body.id}`)).status, 204);
	t.is((await mine.post(path, minimal)).status, 201);
});
