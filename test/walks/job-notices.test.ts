import test, {type ExecutionContext} from 'ava';
import {Webhook} from 'standardwebhooks';
import {type Api, type Body, createApi, registerPerson} from '../support/api.ts';
import {connect, logIn} from '../support/grpc.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination, type Received} from '../support/webhooks.ts';

const host = {
	...{agent_id: '', name: 'db-1', hostname: 'db-1.example.com', os: 'linux', arch: 'x64', version: '1.0.0'},
	...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
};
const minimal = {name: 'Back up', schedule: '@yearly', command: './backup.sh', is_enabled: false};

/** A server, a person with an agent, and runs that end as a test says. */
const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const person = await registerPerson(createApi(server.baseUrl), 'ada');
	const mine = person.api;
	const peer = connect(t, server, (await logIn(connect(t, server), person)).api_key);
	const {agent_id, session_id} = await peer.register(host);
	const runTo = async (exit_code: number, notification_config: Body): Promise<string> => {
		const made = await mine.post('/v1/cron-jobs', {...minimal, notification_config});
		t.is(made.status, 201, made.text);
		await mine.post(`/v1/cron-jobs/${made.body.id}/run`);
		const [spec] = (await peer.lease({agent_id, session_id, max: 1})).executions;
		const hold = {execution_id: spec?.execution_id ?? '', lease_token: spec?.lease_token ?? ''};
		await peer.start({...hold, started_at_ms: 0});
		const ended = {signal: '', error: '', finished_at_ms: 0, duration_ms: 12, stdout_bytes: 0, stderr_bytes: 0};
		await peer.finish({...hold, ...ended, outcome: 'EXITED', exit_code, truncated: false});
		return hold.execution_id;
	};
	const rotate = async (): Promise<string> => {
		const {status, body, text} = await mine.post('/v1/notifications/rotate-secret');
		t.is(status, 200, text);
		return body.signing_secret;
	};
	return {server, person, mine, runTo, rotate};
};

const eventWhen = (mine: Api, id: string, status: string): Promise<Body> =>
	until(async () => {
		const {body} = await mine.get(`/v1/webhook/events/${id}`);
		return body.delivery_status === status && body;
	}, `the notice is ${status}`);

const verified = (secret: string, {body, headers}: Received): Body =>
	new Webhook(secret).verify(String(body), headers as never);

test('[JOB-138] what a job tells at a webhook_url is signed, tried again until it is taken, and on record', async (t) => {
	const {server, mine, runTo, rotate} = await start(t);
	const destination = await openDestination(t, [500]);
	const secret = await rotate();
	const id = await runTo(3, {on_failure: {enabled: true, webhook_url: destination.url}});
	await eventWhen(mine, id, 'retrying');
	server.advance(10_000);
	const event = await eventWhen(mine, id, 'delivered');
	t.is(destination.received.length, 2);
	for (const received of destination.received) {
		const {type, data} = verified(secret, received);
		t.is(type, 'cron.execution.failed');
		t.like(data, {execution_id: id, job_name: 'Back up', status: 'failed', exit_code: 3, attempt: 1});
	}
	t.is(new Set(destination.received.map(({headers}) => headers['webhook-id'])).size, 1);
	t.deepEqual(
		event.deliveries[0].attempts.map(({outcome, status_code}: Body) => [outcome, status_code]),
		[
			['failed', 500],
			['delivered', 200],
		],
	);
});

test('[JOB-138] a new secret signs beside the one before for a day, and a user has one for all notices', async (t) => {
	const {mine, runTo, rotate} = await start(t);
	const destination = await openDestination(t);
	const config = {on_success: {enabled: true, webhook_url: destination.url}};
	// The first notice needs a secret before anybody has seen one.
	await eventWhen(mine, await runTo(0, config), 'delivered');
	const [old, next] = [await rotate(), await rotate()];
	t.not(old, next);
	await eventWhen(mine, await runTo(0, config), 'delivered');
	const [, second] = destination.received;
	if (second === undefined) return t.fail();
	for (const secret of [old, next]) t.is(verified(secret, second).type, 'cron.execution.success');
	t.throws(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, second));
	t.deepEqual((await mine.get('/v1/webhook/endpoints')).body, {data: []});
});

test('a webhook_url may hold variables of cron jobs, which are read when it is told', async (t) => {
	const {mine, runTo} = await start(t);
	const destination = await openDestination(t);
	const {origin} = new URL(destination.url);
	await mine.post('/v1/environment', {key: 'HOOK', value: `${origin}/whole`, scope: 'cron', is_secret: true});
	await mine.post('/v1/environment', {key: 'PART', value: 'part', scope: 'cron'});
	for (const webhook_url of ['{{env.HOOK}}', `${origin}/{{ env.PART }}`])
		await eventWhen(mine, await runTo(0, {on_success: {enabled: true, webhook_url}}), 'delivered');
	t.deepEqual(
		destination.received.map(({url}) => url),
		['/whole', '/part'],
	);
});

test('a webhook_url that is no absolute http or https URL is refused on create and update, with its field', async (t) => {
	const {mine} = await start(t);
	const {body: job} = await mine.post('/v1/cron-jobs', minimal);
	for (const webhook_url of [
		'',
		'ftp://x.example',
		'/hook',
		'x',
		'https://a:b@x.example',
		'https://{{env.A}}.example/',
	])
		for (const on of ['on_failure', 'on_success']) {
			const notification_config = {[on]: {enabled: true, webhook_url}};
			for (const answer of [
				await mine.post('/v1/cron-jobs', {...minimal, notification_config}),
				await mine.put(`/v1/cron-jobs/${job.id}`, {notification_config}),
			]) {
				t.is(answer.status, 400, webhook_url);
				t.is(answer.body.error.details[0].path, `notification_config.${on}.webhook_url`);
			}
		}
});

test('a webhook_url inside the network is not reached, and its endpoint is nobody’s to see, change, fill or replay', async (t) => {
	const {server, mine, runTo, rotate} = await start(t);
	const id = await runTo(1, {on_failure: {enabled: true, webhook_url: 'http://169.254.169.254/latest'}});
	const event = await until(async () => {
		const {body} = await mine.get(`/v1/webhook/events/${id}`);
		return Boolean(body.deliveries?.[0]?.attempts[0]?.completed_at) && body;
	}, 'the attempt ends');
	t.is(event.deliveries[0].attempts[0].error_code, 'blocked');
	const path = `/v1/webhook/endpoints/${event.endpoint_id}`;
	t.is((await mine.get(path)).status, 404);
	t.is((await mine.put(path, {is_active: true})).status, 404);
	t.is((await mine.delete(path)).status, 404);
	t.is((await mine.post(`${path}/rotate-secret`)).status, 404);
	t.is((await mine.get(`${path}/routing-rules`)).status, 404);
	t.is((await mine.get(`${path}/middlewares`)).status, 404);
	t.is((await mine.post(`/v1/webhook/events/${id}/replay`)).status, 409);
	t.is((await createApi(server.baseUrl).post('/v1/notifications/rotate-secret')).status, 401);
	t.regex(await rotate(), /^whsec_/);
});
