import {buildCronJob, buildNewExecution, buildNotification} from '@signalbox/core/testing';
import test from 'ava';
import {type Api, bearer, createApi, registerPerson} from '../support/api.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination, openWebhooks} from '../support/webhooks.ts';

const day = 24 * 3_600_000;
const approval_config = {
	enabled: true,
	default_action: 'allow',
	rules: [{pattern: 'delete_*', action: 'require'}],
	trust_level: 'strict',
	ttl_seconds: 86_400,
};

const open = async () => {
	const server = await startTestServer({env: {SIGNALBOX_DEFAULT_PLAN: 'free'}, sweepEvery: 5});
	const upstream = await startJsonRpcUpstream();
	const anonymous = createApi(server.baseUrl);
	const person = await registerPerson(anonymous);
	const made = await person.api.post('/v1/mcp/servers', {
		name: 'Upstream',
		target_url: upstream.url,
		approval_config,
	});
	const login = async (): Promise<Api> => {
		const {email, password} = person;
		const {body} = await anonymous.post('/v1/auth/login', {email, password});
		return anonymous.with(bearer(body.access_token));
	};
	return {server, upstream, person, anonymous, login, path: `/p/${made.body.slug}`};
};

test('[HTTP-090] calls, approvals and notifications go when their plan keeps them no longer, and nothing that is pending', async (t) => {
	const {server, upstream, person, anonymous, login, path} = await open();
	t.teardown(async () => {
		await server.close();
		await upstream.close();
	});
	const {ports} = server.composition;
	await anonymous.post(path, toolCall('get_item'));
	const held = anonymous.post(path, toolCall('delete_item'), {accept: 'application/json'});
	const approval = await until(async () => (await person.api.get('/v1/mcp/approvals?status=pending')).body.data[0]);
	await person.api.post(`/v1/mcp/approvals/${approval.id}/reject`, {});
	await held;
	const created_at = new Date().toISOString();
	await ports.notifications.append(buildNotification({user_id: person.id, created_at}));

	server.advance(6 * day);
	const before = await login();
	const youngCall = await anonymous.post(path, toolCall('get_item'));
	t.is(youngCall.status, 200);
	t.is((await before.get('/v1/mcp/calls/count')).body.count, 3);

	server.advance(2 * day + 3_600_000);
	const leaving = new AbortController();
	void fetch(new URL(path, server.baseUrl), {
		method: 'POST',
		headers: {'content-type': 'application/json', accept: 'application/json'},
		body: JSON.stringify(toolCall('delete_item')),
		signal: leaving.signal,
	}).catch(() => undefined);
	const after = await login();
	await until(async () => (await after.get('/v1/mcp/calls/count')).body.count === 1, 'the deletion of the old calls');
	const pending = await until(async () => (await after.get('/v1/mcp/approvals?status=pending')).body.data[0]);
	await until(async () => (await after.get('/v1/mcp/approvals?status=rejected')).body.data.length === 0);
	// What tells of the call that waits is young.
	await until(
		async () => (await ports.notifications.countUnread(person.id)) === 1,
		'the deletion of old notifications',
	);
	t.is((await after.get('/v1/mcp/calls/metrics?days=30')).body.total_calls, 3);
	t.is((await after.get(`/v1/mcp/approvals/${pending.id}`)).body.status, 'pending');
	const counted = ['old_calls"} 2', 'old_approvals"} 1', 'old_notifications"} 2'];
	await until(async () => {
		const {text} = await anonymous.get('/metrics');
		return counted.every((count) => text.includes(`signalbox_swept_total{task="${count}`));
	}, 'the count of what went');
	t.true(server.logs().some((line) => line.includes('"task":"old_calls"') && line.includes('"count":2')));
	leaving.abort();
});

test('[HTTP-090] webhook events go when their plan keeps them no longer, but for what is still to be delivered; so do claims', async (t) => {
	const {server, api, addEndpoint, addStep, send, eventWhen} = await openWebhooks(t, {
		env: {SIGNALBOX_DEFAULT_PLAN: 'free'},
		sweepEvery: 5,
	});
	const {url} = await openDestination(t);
	const final = await addEndpoint({destination_url: url});
	await addStep(final, 'deduplicate', {key: 'body.order', ttl: 60});
	const waiting = await addEndpoint({destination_url: url});
	await addStep(waiting, 'delay', {seconds: 86_400});
	await eventWhen((await send(final.url)).event_id, 'delivered');
	for (let delays = 1; delays < 10; delays += 1) await addStep(waiting, 'delay', {seconds: 86_400});
	const {event_id: kept} = await send(waiting.url);
	server.advance(8 * day);
	const {webhookEvents} = server.composition.ports;
	const team_id = (await server.composition.ports.endpoints.pipelineBySlug(final.slug))?.endpoint.team_id ?? '';
	const left = () => webhookEvents.list(team_id, {}, {limit: 10, offset: 0, body_chars: 10});
	await until(async () => (await left()).total === 1, 'the deletion of the old event');
	t.is((await left()).data[0]?.id, kept);
	await until(async () => {
		const {text} = await api.get('/metrics');
		return ['old_events"} 1', 'old_claims"} 1'].every((count) => text.includes(`signalbox_swept_total{task="${count}`));
	}, 'the count of what went');
});

test('[HTTP-090] runs of cron jobs go when their plan keeps them no longer, but for those that have not ended', async (t) => {
	const server = await startTestServer({env: {SIGNALBOX_DEFAULT_PLAN: 'free'}, sweepEvery: 5});
	t.teardown(server.close);
	const anonymous = createApi(server.baseUrl);
	const {id: user_id} = await registerPerson(anonymous);
	const {cronJobs, executions} = server.composition.ports;
	const job = buildCronJob({user_id, team_id: 'team', next_run_at: null});
	await cronJobs.create(job, null);
	const run = async () => (await executions.create(user_id, buildNewExecution({job_id: job.id}))).id;
	const [ended, pending] = [await run(), await run()];
	await executions.cancel(user_id, ended);
	server.advance(8 * day);
	await until(async () => (await executions.get(user_id, ended)) === undefined, 'the deletion of the old run');
	t.not(await executions.get(user_id, pending), undefined);
	await until(
		async () => (await anonymous.get('/metrics')).text.includes('signalbox_swept_total{task="old_executions"} 1'),
		'the count of what went',
	);
});
