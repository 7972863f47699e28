import test from 'ava';
import {Webhook} from 'standardwebhooks';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination, openWebhooks} from '../support/webhooks.ts';

const status = async (url: string, init: RequestInit = {}) =>
	(await fetch(url, {method: 'POST', body: '{"order":7}', ...init})).status;

test('[WHK-036 WHK-059] a webhook comes in, is committed, delivered as it came, signed, and on record', async (t) => {
	const {addEndpoint, send, eventWhen} = await openWebhooks(t);
	const destination = await openDestination(t);
	const endpoint = await addEndpoint({destination_url: destination.url});
	const headers = {'x-mark': 'yes', 'content-type': 'application/json'};
	const {event_id} = await send(`${endpoint.url}/orders?a=1`, {headers});
	const event = await eventWhen(event_id, 'delivered');
	const [sent, ...others] = destination.received;
	t.deepEqual(others, []);
	t.like(sent, {method: 'POST', url: '/hook'});
	t.is(String(sent?.body), '{"order":7}');
	t.is(sent?.headers['x-mark'], 'yes');
	t.notThrows(() => new Webhook(endpoint.signing_secret).verify(String(sent?.body), sent?.headers as never));
	t.truthy(event.delivered_at);
	t.like(event.deliveries[0].attempts[0], {number: 1, outcome: 'delivered', status_code: 200, response_body: 'thanks'});
});

test('[WHK-037 WHK-057] what failed is tried again when it is due, under the same id', async (t) => {
	const {addEndpoint, send, eventWhen, server, api} = await openWebhooks(t);
	const destination = await openDestination(t, [503, 500]);
	const endpoint = await addEndpoint({
		destination_url: destination.url,
		retry_config: {max_retries: 2, intervals: [60]},
	});
	const {event_id: id} = await send(endpoint.url);
	for (let made = 1; made <= 2; made += 1) {
		const {body: waiting} = await until(async () => {
			const event = await api.get(`/v1/webhook/events/${id}`);
			const completed = Boolean(event.body.deliveries[0].attempts[made - 1]?.completed_at);
			return completed && event.body.delivery_status === 'retrying' && event;
		}, `attempt ${made} and its retry`);
		t.truthy(waiting.next_retry_at);
		t.is(destination.received.length, made);
		server.advance(72_000);
	}
	const event = await eventWhen(id, 'delivered');
	t.is(event.retry_count, 2);
	t.is(new Set(destination.received.map(({headers}) => headers['webhook-id'])).size, 1);
});

test('[WHK-012] what was answered 202 is delivered after a restart, also when nothing was sent before', async (t) => {
	const destination = await openDestination(t);
	const {addEndpoint, send, server, eventWhen} = await openWebhooks(t, {env: {SIGNALBOX_ROLES: 'api,ingest'}});
	const endpoint = await addEndpoint({destination_url: destination.url});
	const {event_id: id} = await send(endpoint.url);
	await eventWhen(id, 'pending');
	t.is(destination.received.length, 0);
	const worker = await startTestServer({env: {SIGNALBOX_ROLES: 'worker', DATA_DIR: server.dataDir}});
	t.teardown(() => worker.close());
	await eventWhen(id, 'delivered');
	t.is(destination.received.length, 1);
});

test('[WHK-081] only what the operator opens is connected to', async (t) => {
	const destination = await openDestination(t);
	const {addEndpoint, send, eventWhen} = await openWebhooks(t, {
		env: {SIGNALBOX_ALLOWED_PRIVATE_CIDRS: '10.99.0.0/16'},
	});
	const endpoint = await addEndpoint({destination_url: destination.url});
	const event = await eventWhen((await send(endpoint.url)).event_id, 'retrying');
	t.like(event.deliveries[0].attempts[0], {outcome: 'failed', status_code: null, error_code: 'blocked'});
	t.deepEqual(destination.received, []);
});

test('[WHK-016] the limit of bodies is the one that is set', async (t) => {
	const {addEndpoint} = await openWebhooks(t, {env: {SIGNALBOX_MAX_WEBHOOK_BODY: '2 MiB'}});
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	t.is(await status(endpoint.url, {body: 'x'.repeat(2 * 1024 * 1024)}), 202);
	t.is(await status(endpoint.url, {body: 'x'.repeat(2 * 1024 * 1024 + 1)}), 413);
});

test('a process without the role takes no webhooks in; metrics count those that came', async (t) => {
	const {addEndpoint, server} = await openWebhooks(t);
	const endpoint = await addEndpoint({destination_url: 'http://127.0.0.1:9/'});
	t.is(await status(endpoint.url), 202);
	const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
	t.regex(metrics, /signalbox_webhook_ingest_duration_seconds_count\{status="202"\} 1/);
	t.regex(metrics, /signalbox_webhook_attempts_in_flight \d/);
	const other = await startTestServer({env: {SIGNALBOX_ROLES: 'api'}});
	t.teardown(() => other.close());
	t.is(await status(`${other.baseUrl}/wh/${endpoint.slug}`), 404);
});
