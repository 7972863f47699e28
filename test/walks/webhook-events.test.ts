import test from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {startTestServer, type TestServer} from '../support/server.ts';

const path = '/v1/webhook/events';
const unknownId = '01890000-0000-7000-8000-000000000000';

const start = async (t: {teardown(end: () => Promise<void>): void}) => {
	const server = await startTestServer({env: {SIGNALBOX_ROLES: 'api'}});
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	const addEndpoint = async (name: string) => {
		const wanted = {name, destination_url: 'http://127.0.0.1:9/hook'};
		return (await me.api.post('/v1/webhook/endpoints', wanted)).body;
	};
	return {server, mine: me.api, theirs: other.api, addEndpoint, endpoint: await addEndpoint('Orders')};
};

const receive = async ({composition}: TestServer, {slug}: {slug: string}, text = '{"order":7}'): Promise<string> => {
	const received = await composition.core.webhook.intake.accept(slug, {
		method: 'PUT',
		path: '/a/b',
		query: 'c=1',
		headers: [['X-Event', 'order']],
		body: new TextEncoder().encode(text),
		source_ip: '192.0.2.1',
	});
	if (received.outcome !== 'accepted') throw new Error(received.outcome);
	return received.event_id;
};

const idsOf = (reply: {body: {data: {id: string}[]}}): string[] => reply.body.data.map(({id}) => id);

test('[WHK-034] an event answers what came in, what became of it, and why', async (t) => {
	const {server, mine, theirs, endpoint} = await start(t);
	const id = await receive(server, endpoint);
	const reply = await mine.get(`${path}/${id}`);
	t.is(reply.status, 200);
	const {trace, deliveries, created_at, ...event} = reply.body;
	t.deepEqual(event, {
		id,
		endpoint_id: endpoint.id,
		method: 'PUT',
		path: '/a/b',
		query: 'c=1',
		headers: {'X-Event': 'order'},
		body: '{"order":7}',
		source_ip: '192.0.2.1',
		delivery_status: 'pending',
		status_code: null,
		response_body: null,
		retry_count: 0,
		next_retry_at: null,
		delivered_at: null,
	});
	t.regex(created_at, /Z$/);
	t.like(deliveries[0], {rule_id: null, name: 'Orders', url: endpoint.destination_url, attempts: []});
	t.is(trace.routing.destinations[0].url, endpoint.destination_url);
	for (const gone of [await theirs.get(`${path}/${id}`), await mine.get(`${path}/${unknownId}`)])
		t.is(gone.status, 404);
});

/** Attempts what is due, and records that it failed for good. */
const failAll = async ({composition}: TestServer) => {
	const {deliveries, ids} = composition.ports;
	const leased = await deliveries.lease({attempt_ids: [ids.next()], per_destination: 10, lease_seconds: 45});
	for (const {id: delivery_id, fence, attempt} of leased) {
		const answer = {status_code: 500, error_code: null, response_headers: {a: 'b'}, duration_ms: 5};
		const response_body = new TextEncoder().encode('no');
		await deliveries.settle({
			delivery_id,
			fence,
			attempt: {id: attempt.id, outcome: 'failed', ...answer, response_body},
			next: {status: 'failed'},
			error: 'The destination answered 500.',
		});
	}
	return leased.map(({attempt}) => attempt.number);
};

test('[WHK-047 WHK-048] one event shows its attempts, and a retry has what failed attempted again', async (t) => {
	const {server, mine, endpoint} = await start(t);
	const id = await receive(server, endpoint);
	t.deepEqual(await failAll(server), [1]);
	const failed = (await mine.get(`${path}/${id}`)).body;
	t.like(failed, {delivery_status: 'failed', status_code: 500, response_body: 'no'});
	const {attempts, ...delivery} = failed.deliveries[0];
	t.like(delivery, {status: 'failed', attempt_count: 1, last_status_code: 500});
	t.like(attempts, {length: 1, 0: {number: 1, outcome: 'failed', status_code: 500, response_body: 'no'}});
	t.deepEqual((await mine.get(path)).body.data[0].deliveries[0].attempts, []);
	const retried = await mine.post(`${path}/${id}/retry`);
	t.is(retried.status, 200);
	t.is(retried.body.delivery_status, 'retrying');
	t.deepEqual(await failAll(server), [2]);
	t.is((await mine.get(`${path}/${id}`)).body.deliveries[0].attempts.length, 2);
});

test('[WHK-043 WHK-044 WHK-045] the list filters by endpoint, status and time, of the active team', async (t) => {
	const {server, mine, theirs, addEndpoint, endpoint} = await start(t);
	const other = await addEndpoint('Refunds');
	const block = {type: 'filter', name: 'none', config: {field: 'body.drop', operator: 'exists'}};
	await mine.post(`/v1/webhook/endpoints/${other.id}/middlewares`, block);
	const first = await receive(server, endpoint);
	server.advance(5000);
	const second = await receive(server, other);
	server.advance(5000);
	const dropped = await receive(server, other, '{"drop":1}');
	const list = async (query = '') => idsOf(await mine.get(`${path}?${query}`));
	t.deepEqual(await list(), [dropped, second, first]);
	t.deepEqual(await list(`endpoint_id=${other.id}`), [dropped, second]);
	t.deepEqual(await list('status=filtered'), [dropped]);
	t.deepEqual(await list(`status=pending&endpoint_id=${other.id}`), [second]);
	const at = (await mine.get(`${path}/${second}`)).body.created_at;
	t.deepEqual(await list(`from=${at}`), [dropped, second]);
	t.deepEqual(await list(`to=${at}`), [first]);
	t.deepEqual((await theirs.get(path)).body, {data: [], total: 0, limit: 50, offset: 0});
	for (const wrong of ['status=lost', 'from=yesterday', 'endpoint=x'])
		t.is((await mine.get(`${path}?${wrong}`)).status, 400, wrong);
});

test('[WHK-046] the list has limit, 50 unless given and at most 100, and offset', async (t) => {
	const {server, mine, endpoint} = await start(t);
	for (let index = 0; index < 53; index += 1) await receive(server, endpoint);
	const page = await mine.get(path);
	t.like(page.body, {total: 53, limit: 50, offset: 0, data: {length: 50}});
	t.like((await mine.get(`${path}?limit=100&offset=50`)).body, {total: 53, limit: 100, data: {length: 3}});
	for (const wrong of ['limit=101', 'limit=0', 'offset=-1']) t.is((await mine.get(`${path}?${wrong}`)).status, 400);
});

test("[HTTP-010 WHK-049 MID-065] a replay is 201 with a new event through today's pipeline, which deduplicate lets pass", async (t) => {
	const {server, mine, theirs, endpoint} = await start(t);
	const steps = `/v1/webhook/endpoints/${endpoint.id}/middlewares`;
	await mine.post(steps, {type: 'deduplicate', name: 'once', config: {key: 'body.order', ttl: 600}});
	const id = await receive(server, endpoint);
	await mine.post(steps, {type: 'transform_body', name: 'mark', config: {set: {again: true}}});
	const replayed = await mine.post(`${path}/${id}/replay`);
	t.is(replayed.status, 201);
	t.not(replayed.body.id, id);
	t.like(replayed.body, {body: '{"order":7}', delivery_status: 'pending', path: '/a/b'});
	t.is(replayed.body.trace.pipeline.result.body, '{"order":7,"again":true}');
	t.is((await mine.get(path)).body.total, 2);
	for (const gone of [await theirs.post(`${path}/${id}/replay`), await mine.post(`${path}/${unknownId}/replay`)])
		t.is(gone.status, 404);
});

test('a retry of an event of which nothing failed is 409; one that is not there, or of others, is 404', async (t) => {
	const {server, mine, theirs, endpoint} = await start(t);
	const id = await receive(server, endpoint);
	const refused = await mine.post(`${path}/${id}/retry`);
	t.is(refused.status, 409);
	t.is(refused.body.error.code, 'conflict');
	t.is((await theirs.post(`${path}/${id}/retry`)).status, 404);
	t.is((await mine.post(`${path}/${unknownId}/retry`)).status, 404);
});

test('[WHK-088] retry and replay take the filters of the list, and act on all that they select', async (t) => {
	const {server, mine, theirs, addEndpoint, endpoint} = await start(t);
	const other = await addEndpoint('Refunds');
	for (let index = 0; index < 3; index += 1) await receive(server, endpoint);
	await receive(server, other);
	const replay = (body: object) => mine.post(`${path}/replay`, body);
	t.deepEqual((await replay({endpoint_id: endpoint.id})).body, {count: 3, skipped: 0});
	t.is((await mine.get(path)).body.total, 7);
	t.deepEqual((await replay({status: 'failed'})).body, {count: 0, skipped: 0});
	t.deepEqual((await theirs.post(`${path}/replay`, {})).body, {count: 0, skipped: 0});
	const retried = await mine.post(`${path}/retry`, {endpoint_id: other.id});
	t.is(retried.status, 200);
	t.deepEqual(retried.body, {count: 0, skipped: 1});
	t.is((await replay({limit: 5})).status, 400);
});
