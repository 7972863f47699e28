import test from 'ava';
import {openDestination, openWebhooks} from '../support/webhooks.ts';

const minute = 60_000;

test('[WHK-035 WHK-038 WHK-064] pending before its first attempt, retrying by the retry_config, failed once retries are used up', async (t) => {
	const {addEndpoint, addStep, send, event, eventWhen, server, api} = await openWebhooks(t);
	const destination = await openDestination(t, [500, 502]);
	const retry_config = {max_retries: 1, intervals: [300]};
	const endpoint = await addEndpoint({destination_url: destination.url, retry_config});
	t.deepEqual((await api.get(`/v1/webhook/endpoints/${endpoint.id}`)).body.retry_config, retry_config);
	await addStep(endpoint, 'delay', {seconds: 60});
	const {event_id: id, status} = await send(endpoint.url);
	t.is(status, 'pending');
	t.is((await event(id)).delivery_status, 'pending');
	server.advance(minute);
	const retrying = await eventWhen(id, 'retrying');
	const wait = Date.parse(retrying.next_retry_at) - Date.parse(retrying.deliveries[0].attempts[0].completed_at);
	t.true(wait >= 300_000 * 1.1 && wait <= 300_000 * 1.2, `${wait}`);
	server.advance(300_000 * 1.2);
	const failed = await eventWhen(id, 'failed');
	t.like(failed, {status_code: 502, next_retry_at: null, retry_count: 1, delivered_at: null});
	t.like(failed.deliveries[0], {status: 'failed', attempt_count: 2, next_attempt_at: null});
});

test('[WHK-064] a retry_config that is no max_retries with intervals of seconds is 400 and named', async (t) => {
	const {api} = await openWebhooks(t);
	for (const [retry_config, path] of [
		[{max_retries: 1}, 'retry_config.intervals'],
		[{intervals: [5]}, 'retry_config.max_retries'],
		[{max_retries: 1, intervals: ['5 s']}, 'retry_config.intervals.0'],
		[{max_retries: -1, intervals: [5]}, 'retry_config.max_retries'],
	] as const) {
		const fields = {name: 'Orders', destination_url: 'https://a.example/', retry_config};
		const {status, body} = await api.post('/v1/webhook/endpoints', fields);
		t.is(status, 400);
		t.is(body.error.details[0].path, path);
	}
});

test('[WHK-052] an attempt shows when it was made, how it ended and what was answered', async (t) => {
	const {addEndpoint, send, eventWhen} = await openWebhooks(t);
	const {url} = await openDestination(t, [201]);
	const {event_id} = await send((await addEndpoint({destination_url: url})).url);
	const [delivery] = (await eventWhen(event_id, 'delivered')).deliveries;
	const [{id, started_at, completed_at, duration_ms, response_headers, ...attempt}] = delivery.attempts;
	t.deepEqual(attempt, {
		delivery_id: delivery.id,
		number: 1,
		outcome: 'delivered',
		status_code: 201,
		error_code: null,
		response_body: 'thanks',
	});
	t.is(response_headers['x-answer'], 'yes');
	t.regex(id, /^[0-9a-f]{8}-/);
	t.true(completed_at >= started_at);
	t.true(Number.isInteger(duration_ms) && duration_ms >= 0);
});

test('[WHK-039] a webhook that a filter blocks is filtered, and goes nowhere', async (t) => {
	const {addEndpoint, addStep, send, event} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	const {id: middleware_id} = await addStep(endpoint, 'filter', {field: 'body.order', operator: 'equals', value: '7'});
	const {event_id, status} = await send(endpoint.url);
	t.is(status, 'filtered');
	const {delivery_status, deliveries, trace} = await event(event_id);
	t.is(delivery_status, 'filtered');
	t.deepEqual(deliveries, []);
	t.like(trace.pipeline, {outcome: 'blocked', steps: [{middleware_id, outcome: 'blocked'}]});
	t.is((await send(endpoint.url, {body: '{"order":8}'})).status, 'pending');
});

test('[WHK-040 MID-060 MID-061] a value that was seen within ttl makes a duplicate, one that was seen before it passes again', async (t) => {
	const {addEndpoint, addStep, send, event, eventWhen, server} = await openWebhooks(t);
	const destination = await openDestination(t);
	const endpoint = await addEndpoint({destination_url: destination.url});
	await addStep(endpoint, 'deduplicate', {key: 'headers.x-id', ttl: 600});
	const headers = {'x-id': 'one'};
	await eventWhen((await send(endpoint.url, {headers})).event_id, 'delivered');
	server.advance(540_000);
	const again = await send(endpoint.url, {headers});
	t.is(again.status, 'duplicate');
	const {delivery_status, deliveries, trace} = await event(again.event_id);
	t.is(delivery_status, 'duplicate');
	t.deepEqual(deliveries, []);
	t.like(trace.pipeline, {outcome: 'duplicate', steps: [{outcome: 'duplicate'}]});
	const other = await send(endpoint.url, {headers: {'x-id': 'two'}});
	t.is(other.status, 'pending');
	// What is on its way when its lease ends is sent again.
	await eventWhen(other.event_id, 'delivered');
	server.advance(60_000);
	await eventWhen((await send(endpoint.url, {headers})).event_id, 'delivered');
	t.deepEqual(destination.received.map((one) => one.headers['x-id']).toSorted(), ['one', 'one', 'two']);
});

test('[WHK-042 MID-064] a step that fails ends in pipeline_error with its reason, and a resend is no duplicate', async (t) => {
	const {addEndpoint, addStep, send, event} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	await addStep(endpoint, 'deduplicate', {key: 'headers.x-id', ttl: 3600});
	await addStep(endpoint, 'transform_body', {set: {seen: true}});
	const headers = {'x-id': 'one'};
	const {event_id, status} = await send(endpoint.url, {headers, body: 'no JSON'});
	t.is(status, 'pipeline_error');
	const {delivery_status, deliveries, trace} = await event(event_id);
	t.is(delivery_status, 'pipeline_error');
	t.deepEqual(deliveries, []);
	t.is(trace.pipeline.outcome, 'error');
	t.regex(trace.pipeline.steps[1].message, /not JSON/);
	t.is((await send(endpoint.url, {headers})).status, 'pending');
	t.is((await send(endpoint.url, {headers})).status, 'duplicate');
});

test('[WHK-041 RTE-050] a webhook that no rule matches is unmatched: kept, listed, and replayed by the rules of then', async (t) => {
	const {addEndpoint, addRule, send, event, eventWhen, api} = await openWebhooks(t);
	const destination = await openDestination(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	const modePath = `/v1/webhook/endpoints/${endpoint.id}/routing-mode`;
	t.is((await api.put(modePath, {routing_mode: 'all_match'})).status, 200);
	const onPath = {condition_source: 'body', condition_operator: 'equals', condition_value: '7'};
	await addRule(endpoint, {...onPath, condition_field: '$.invoice', destination_url: destination.url});
	const {event_id, status} = await send(endpoint.url);
	t.is(status, 'unmatched');
	const kept = await event(event_id);
	t.like(kept, {delivery_status: 'unmatched', body: '{"order":7}', deliveries: []});
	t.like(kept.trace.routing.rules[0], {name: 'Rule', matched: false});
	const {data} = (await api.get('/v1/webhook/events?status=unmatched')).body;
	t.deepEqual(
		data.map(({id}: {id: string}) => id),
		[event_id],
	);
	await addRule(endpoint, {...onPath, condition_field: '$.order', destination_url: destination.url});
	const replay = await api.post(`/v1/webhook/events/${event_id}/replay`);
	t.is(replay.status, 201);
	await eventWhen(replay.body.id, 'delivered');
	t.is(String(destination.received[0]?.body), '{"order":7}');
});

test('what is retried or replayed over the API leaves at once, however seldom due work is looked for', async (t) => {
	const {addEndpoint, send, eventWhen, api} = await openWebhooks(t, {sweepEvery: 3600_000});
	const destination = await openDestination(t, [410]);
	const {url} = await addEndpoint({destination_url: destination.url});
	const {event_id} = await send(url);
	await eventWhen(event_id, 'failed');
	await api.post(`/v1/webhook/events/${event_id}/retry`);
	await eventWhen(event_id, 'delivered');
	const replay = await api.post(`/v1/webhook/events/${event_id}/replay`);
	await eventWhen(replay.body.id, 'delivered');
	t.is(destination.received.length, 3);
});
