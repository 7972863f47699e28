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
