import test, {type ExecutionContext} from 'ava';
import {Webhook} from 'standardwebhooks';
import {type Api, type Body, createApi, registerPerson} from '../support/api.ts';
import {toolCall} from '../support/json-rpc-upstream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination, type Received} from '../support/webhooks.ts';

const path = '/v1/notification-channels';

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const anyone = createApi(server.baseUrl);
	const {api: mine} = await registerPerson(anyone, 'ada');
	const made = async (where: string, fields: Body): Promise<Body> => {
		const {status, body, text} = await mine.post(where, fields);
		t.is(status, 201, text);
		return body;
	};
	return {server, anyone, mine, made};
};

/** A call that waits for somebody to decide. @returns the id of its approval. */
const hold = async ({anyone, mine, made}: Awaited<ReturnType<typeof start>>): Promise<string> => {
	const approval_config = {enabled: true, default_action: 'require'};
	const {slug} = await made('/v1/mcp/servers', {name: 'Mail', target_url: 'http://127.0.0.1:9/', approval_config});
	// It is held until the server ends.
	anyone.post(`/p/${slug}`, toolCall('send_email')).catch(() => undefined);
	const {id} = await until(async () => (await mine.get('/v1/mcp/approvals')).body.data[0], 'the call waits');
	return id;
};

const only = async (received: readonly Received[], what: string): Promise<Received> =>
	until(async () => received[0], what);

/** Of the first notice, once there is such an attempt. */
const endedAttempt = async (mine: Api, isMeant: (attempt: Body) => boolean): Promise<Body> =>
	until(async () => {
		const [event] = (await mine.get('/v1/webhook/events')).body.data;
		const deliveries: readonly Body[] = event ? (await mine.get(`/v1/webhook/events/${event.id}`)).body.deliveries : [];
		return deliveries.flatMap(({attempts}) => attempts).find(isMeant);
	}, 'the attempt ends');

const everything = async (api: Api, event_id: string): Promise<string> => {
	const paths = [path, '/v1/webhook/events', `/v1/webhook/events/${event_id}`, '/v1/notifications', '/v1/audit'];
	return (await Promise.all(paths.map((each) => api.get(each)))).map(({text}) => text).join('\n');
};

test('[NTF-028] channels are told of a call that waits, signed, with a link to its approval; a Slack URL stands nowhere', async (t) => {
	const world = await start(t);
	const {server, mine, made} = world;
	const [webhook, slack] = [await openDestination(t, [500]), await openDestination(t)];
	const {signing_secret} = (await mine.post('/v1/notifications/rotate-secret')).body;
	await made(path, {type: 'webhook', url: webhook.url, events: ['approval_pending']});
	const secret = slack.url.replace('/hook', '/services/secret');
	const {id, url} = await made(path, {type: 'slack', url: secret});
	t.is(url, `${new URL(slack.url).origin}/********`);
	const approval_id = await hold(world);

	const message = await only(slack.received, 'Slack is told');
	t.is(message.url, '/services/secret');
	const link = `${server.baseUrl}/approvals/${approval_id}`;
	t.true(JSON.parse(String(message.body)).text.endsWith(`<${link}|Decide>`));

	await only(webhook.received, 'the first attempt');
	await endedAttempt(mine, ({status_code}) => status_code === 500);
	server.advance(60_000);
	const again = await until(() => webhook.received[1], 'the second attempt');
	const {type, data} = new Webhook(signing_secret).verify(String(again.body), again.headers as never) as Body;
	t.is(type, 'notification.approval_pending');
	t.like(data, {type: 'approval_pending', link});
	t.is(data.data.approval_id, approval_id);
	t.is(again.headers['webhook-id'], webhook.received[0]?.headers['webhook-id']);
	t.notRegex(await everything(mine, data.id), /services/);
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.is((await mine.get(`${path}/${id}`)).status, 404);
});

test('a channel inside the network is not reached, and its owner sees why', async (t) => {
	const world = await start(t);
	await world.made(path, {type: 'webhook', url: 'http://169.254.169.254/latest'});
	await hold(world);
	const attempt = await endedAttempt(world.mine, ({completed_at}) => completed_at !== null);
	t.is(attempt.error_code, 'blocked');
});

test('a channel is tried by a test of its own, signed as real ones are, of which the event says what came', async (t) => {
	const {mine, made} = await start(t);
	const destination = await openDestination(t, [200, 500]);
	const {signing_secret} = (await mine.post('/v1/notifications/rotate-secret')).body;
	const {id} = await made(path, {type: 'webhook', url: destination.url, events: ['budget_alert']});
	const asked = await made(`${path}/${id}/test`, {});
	const sent = await only(destination.received, 'the test');
	const {type, data} = new Webhook(signing_secret).verify(String(sent.body), sent.headers as never) as Body;
	t.is(type, 'notification.system');
	t.like(data, {id: asked.id, data: {is_test: true}, link: null});
	const eventWhen = (event_id: string, status: string) =>
		until(async () => {
			const {body} = await mine.get(`/v1/webhook/events/${event_id}`);
			return body.delivery_status === status && body;
		}, `the test is ${status}`);
	t.is((await eventWhen(asked.id, 'delivered')).status_code, 200);
	t.is((await mine.get('/v1/notifications')).body.total, 0);

	const failing = await made(`${path}/${id}/test`, {});
	t.like(await eventWhen(failing.id, 'failed'), {status_code: 500, next_retry_at: null, retry_count: 0});
});

test('tests are held to the network, to their owner, to channels that are on, and to a few a minute', async (t) => {
	const {anyone, mine, made} = await start(t);
	const {id} = await made(path, {type: 'slack', url: 'http://169.254.169.254/latest'});
	const test_path = `${path}/${id}/test`;
	const {api: bob} = await registerPerson(anyone, 'bob');
	t.is((await bob.post(test_path)).status, 404);
	t.is((await anyone.post(test_path)).status, 401);
	const {key} = await made('/v1/api-keys', {name: 'agent', scopes: ['proxy']});
	t.is((await anyone.post(test_path, {}, {'x-api-key': key})).status, 403);

	const once = {'idempotency-key': 'first'};
	const first = await mine.post(test_path, {}, once);
	t.is((await mine.post(test_path, {}, once)).body.id, first.body.id);
	const attempt = await endedAttempt(mine, ({completed_at}) => completed_at !== null);
	t.is(attempt.error_code, 'blocked');
	for (let count = 1; count < 6; count += 1) await made(test_path, {});
	const refused = await mine.post(test_path);
	t.is(refused.status, 429);
	const seconds = Number(refused.headers.get('retry-after'));
	t.true(seconds >= 1 && seconds <= 10, String(seconds));
	await mine.put(`${path}/${id}`, {is_active: false});
	t.is((await mine.post(test_path)).status, 409);
});
