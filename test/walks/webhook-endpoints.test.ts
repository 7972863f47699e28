import test from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}, env: Record<string, string> = {}) => {
	const server = await startTestServer({env});
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	return {server, api, mine: me.api, theirs: other.api};
};

const path = '/v1/webhook/endpoints';
const unknownId = '01890000-0000-7000-8000-000000000000';
const minimal = {name: 'Orders', destination_url: 'http://127.0.0.1:9/hook'};
const mask = '********';

test('[WHK-001 WHK-002] name and destination_url make an endpoint with every field, and safe defaults', async (t) => {
	const {mine} = await start(t);
	const reply = await mine.post(path, minimal);
	t.is(reply.status, 201);
	const fields =
		'id slug name destination_url routing_mode retry_config verification signing_secret is_active created_at updated_at response';
	t.deepEqual(Object.keys(reply.body).sort(), fields.split(' ').sort());
	t.like(reply.body, {...minimal, routing_mode: 'single', verification: {type: 'none'}, is_active: true});
	t.regex(reply.body.slug, /^[A-Za-z0-9_-]{17,}$/);
	t.not((await mine.post(path, minimal)).body.slug, reply.body.slug);
});

test('a missing or malformed field is 400 and is named; nothing is made', async (t) => {
	const {mine} = await start(t);
	const cases: readonly (readonly [string, object])[] = [
		['name', {destination_url: minimal.destination_url}],
		['destination_url', {name: 'Orders'}],
		['name', {...minimal, name: 7}],
		['destination_url', {...minimal, destination_url: 'file:///etc/passwd'}],
		['destination_url', {...minimal, destination_url: 'http://user:secret@127.0.0.1/'}],
		['destination_url', {...minimal, destination_url: 'http://{{env.HOST}}/'}],
		['routing_mode', {...minimal, routing_mode: 'random'}],
		['verification.type', {...minimal, verification: {type: 'guess'}}],
		['verification.secret', {...minimal, verification: {type: 'stripe'}}],
		['verification.secret', {...minimal, verification: {type: 'stripe', secret: mask}}],
		['retry_config.max_retries', {...minimal, retry_config: {max_retries: 1000, intervals: [5]}}],
		['response.status', {...minimal, response: {status: 404, body: ''}}],
		['colour', {...minimal, colour: 'red'}],
		['slug', {...minimal, slug: 'chosen'}],
	];
	for (const [field, body] of cases) {
		const reply = await mine.post(path, body);
		t.is(reply.status, 400, JSON.stringify(body));
		t.is(reply.body.error.code, 'validation_error');
		t.is(reply.body.error.details[0].path, field);
	}
	t.deepEqual((await mine.get(path)).body, {data: []});
});

test('[WHK-003 WHK-086] the signing secret is whole in create and rotate-secret, and masked in every other answer', async (t) => {
	const {mine} = await start(t);
	const created = await mine.post(path, minimal);
	const url = `${path}/${created.body.id}`;
	const rotated = await mine.post(`${url}/rotate-secret`);
	t.is(rotated.status, 200);
	const secrets = [created.body.signing_secret, rotated.body.signing_secret];
	for (const secret of secrets) t.regex(secret, /^whsec_[A-Za-z0-9+/]{32,}=*$/);
	t.not(secrets[0], secrets[1]);
	for (const answer of [await mine.get(url), await mine.get(path), await mine.put(url, {name: 'Renamed'})]) {
		t.is((answer.body.data?.[0] ?? answer.body).signing_secret, mask);
		for (const secret of secrets) t.false(answer.text.includes(secret));
	}
	const audit = await mine.get('/v1/audit');
	for (const secret of secrets) t.false(audit.text.includes(secret));
});

test('[WHK-004 WHK-005] list answers the endpoints of the active team only; get one by its id', async (t) => {
	const {mine, theirs} = await start(t);
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const personal = (await mine.post(path, minimal)).body.id;
	const shared = (await mine.post(path, minimal, {'x-team-id': team})).body.id;
	await theirs.post(path, minimal);
	const ids = async (headers = {}) => (await mine.get(path, headers)).body.data.map(({id}: {id: string}) => id);
	t.deepEqual(await ids(), [personal]);
	t.deepEqual(await ids({'x-team-id': team}), [shared]);
	t.is((await mine.get(`${path}/${shared}`)).body.id, shared);
	t.is((await theirs.get(`${path}/${shared}`)).status, 404);
	t.is((await mine.get(`${path}/${unknownId}`)).status, 404);
});

test('[WHK-006] update changes what is given and leaves the rest', async (t) => {
	const {mine} = await start(t);
	const verification = {type: 'hmac', secret: 's3cret', header: 'x-sig', algorithm: 'sha512'};
	const retry_config = {max_retries: 2, intervals: [5, 10]};
	const created = await mine.post(path, {...minimal, verification, retry_config});
	const url = `${path}/${created.body.id}`;
	const kept = {...minimal, retry_config, verification: {...verification, secret: mask}};
	t.like(created.body, kept);
	t.like((await mine.put(url, {is_active: false})).body, {...kept, is_active: false});
	const response = {status: 200, body: 'ok'};
	t.like((await mine.put(url, {name: 'Renamed', response})).body, {
		...kept,
		name: 'Renamed',
		is_active: false,
		response,
	});
	const echoed = (await mine.get(url)).body.verification;
	const back = await mine.put(url, {verification: echoed, retry_config: null, response: null});
	t.like(back.body, {verification: kept.verification, retry_config: null, response: null});
	t.false(back.text.includes('s3cret'));
});

test('[WHK-007] a deleted endpoint is gone with its events, middleware and rules', async (t) => {
	const {server, mine, theirs} = await start(t);
	const {id, slug} = (await mine.post(path, minimal)).body;
	const rule = {name: 'all', destination_url: minimal.destination_url, is_active: true};
	await mine.post(`${path}/${id}/middlewares`, {type: 'delay', name: 'later', config: {seconds: 1}});
	await mine.post(`${path}/${id}/routing-rules`, rule);
	const {core} = server.composition;
	const webhook = {method: 'POST', path: '', query: '', headers: [], body: new Uint8Array(), source_ip: '192.0.2.1'};
	const received = await core.webhook.intake.accept(slug, webhook);
	if (received.outcome !== 'accepted') throw new Error(received.outcome);
	const event = `/v1/webhook/events/${received.event_id}`;
	t.is((await mine.get(event)).status, 200);
	t.is((await theirs.delete(`${path}/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	const left = [event, `${path}/${id}`, `${path}/${id}/middlewares`, `${path}/${id}/routing-rules`];
	for (const url of left) t.is((await mine.get(url)).status, 404, url);
	t.is((await mine.get('/v1/webhook/events')).body.total, 0);
	t.is((await mine.delete(`${path}/${id}`)).status, 404);
});

test('[WHK-008] an endpoint beyond the plan is 403 plan_limit_reached', async (t) => {
	const {mine} = await start(t, {SIGNALBOX_DEFAULT_PLAN: 'free'});
	const replies = await Promise.all(Array.from({length: 6}, async () => mine.post(path, minimal)));
	t.is(replies.filter(({status}) => status === 201).length, 3);
	const refused = replies.filter(({status}) => status === 403);
	t.is(refused.length, 3);
	t.true(refused.every(({body}) => body.error.code === 'plan_limit_reached'));
});

test('endpoints and events want credentials', async (t) => {
	const {api} = await start(t);
	const events = '/v1/webhook/events';
	for (const url of [path, `${path}/${unknownId}`, events, `${events}/${unknownId}`])
		t.is((await api.get(url)).status, 401, url);
	const posts = [path, `${path}/${unknownId}/rotate-secret`, `${events}/retry`, `${events}/${unknownId}/replay`];
	for (const url of posts) t.is((await api.post(url, {})).status, 401, url);
	t.is((await api.put(`${path}/${unknownId}`, {})).status, 401);
	t.is((await api.delete(`${path}/${unknownId}`)).status, 401);
});

test('a create that is repeated under its Idempotency-Key makes one endpoint, and answers the secret again', async (t) => {
	const {mine} = await start(t);
	const once = async () => (await mine.post(path, minimal, {'idempotency-key': 'one'})).body;
	t.deepEqual(await once(), await once());
	t.is((await mine.get(path)).body.data.length, 1);
});

test('the audit log tells who changed what of an endpoint, newest first, without a secret', async (t) => {
	const {mine} = await start(t);
	const secret = 'the-secret-itself';
	const {id} = (await mine.post(path, {...minimal, verification: {type: 'github', secret}})).body;
	const headers = {type: 'transform_headers', name: 'key', config: {set: {authorization: secret}}};
	const rule = {name: 'all', destination_url: minimal.destination_url, is_active: true};
	await mine.post(`${path}/${id}/middlewares`, headers);
	await mine.post(`${path}/${id}/routing-rules`, {...rule, headers_override: {authorization: secret}});
	await mine.put(`${path}/${id}`, {verification: {type: 'github', secret: `${secret}-2`}});
	await mine.delete(`${path}/${id}`);
	const audit = await mine.get('/v1/audit');
	const actions = audit.body.data.map(({action}: {action: string}) => action);
	t.deepEqual(actions.slice(0, 5), [
		'webhook_endpoint.deleted',
		'webhook_endpoint.updated',
		'routing_rule.created',
		'webhook_middleware.created',
		'webhook_endpoint.created',
	]);
	t.false(audit.text.includes(secret));
});
