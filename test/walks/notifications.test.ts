import {buildNotification} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {type Api, type Body, createApi, registerPerson} from '../support/api.ts';
import {connect, logIn} from '../support/grpc.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';
import {openDestination} from '../support/webhooks.ts';

const path = '/v1/notifications';

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	return {server, api, me, other, mine: me.api, theirs: other.api};
};

type World = Awaited<ReturnType<typeof start>>;

/** Somebody is told so many things, one a second. */
const tell = async ({server, me}: World, count: number): Promise<void> => {
	const begun = Date.now();
	const told = Array.from({length: count}, (_, index) => {
		const created_at = new Date(begun + index * 1000).toISOString();
		return buildNotification({user_id: me.id, title: `n${index}`, created_at});
	});
	await server.composition.ports.notifications.append(...told);
};

const toldOf = async (api: Api, type: string): Promise<readonly Body[]> =>
	(await api.get(`${path}?limit=100`)).body.data.filter((each: Body) => each.type === type);

const toldOnce = async (t: ExecutionContext, api: Api, type: string): Promise<Body> => {
	const [told, ...others] = await until(async () => {
		const found = await toldOf(api, type);
		return found.length > 0 && found;
	}, type);
	t.deepEqual(others, []);
	return told;
};

const addServer = async (t: ExecutionContext, api: Api, fields: Body): Promise<Body> => {
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	return (await api.post('/v1/mcp/servers', {name: 'Tickets', target_url: upstream.url, ...fields})).body;
};

const titlesOf = ({body}: Body): readonly string[] => body.data.map(({title}: Body) => title);

test('[NTF-008 NTF-009 NTF-011] the list holds the caller’s own, newest first, 20 of them where nothing else is asked for', async (t) => {
	const world = await start(t);
	await tell(world, 23);
	const first = await world.mine.get(path);
	t.is(first.status, 200);
	t.like(first.body, {total: 23, limit: 20, offset: 0});
	const second = await world.mine.get(`${path}?offset=20&limit=2`);
	t.deepEqual(
		[...titlesOf(first), ...titlesOf(second)],
		Array.from({length: 22}, (_, index) => `n${22 - index}`),
	);
	t.like((await world.theirs.get(path)).body, {data: [], total: 0});
	t.is((await world.api.get(path)).status, 401);
});

test('[NTF-010 NTF-012] a list takes 1 to 100, an offset from 0 on, and leaves out what is read where that is asked', async (t) => {
	const world = await start(t);
	await tell(world, 2);
	const [newest] = (await world.mine.get(`${path}?limit=100`)).body.data;
	await world.mine.put(`${path}/${newest.id}/read`);
	for (const query of ['limit=101', 'limit=0', 'limit=x', 'offset=-1', 'unread_only=1', 'unread=true'])
		t.is((await world.mine.get(`${path}?${query}`)).status, 400, query);
	t.deepEqual(titlesOf(await world.mine.get(`${path}?unread_only=true`)), ['n0']);
	t.deepEqual(titlesOf(await world.mine.get(`${path}?unread_only=false`)), ['n1', 'n0']);
});

test('[NTF-013 NTF-014 NTF-015] one or all become read, and how many are not is counted', async (t) => {
	const world = await start(t);
	const {mine, theirs} = world;
	await tell(world, 3);
	const unread = async () => (await mine.get(`${path}/unread-count`)).body;
	t.deepEqual(await unread(), {count: 3});
	const [{id}] = (await mine.get(path)).body.data;
	t.is((await theirs.put(`${path}/${id}/read`)).status, 404);
	t.deepEqual((await theirs.put(`${path}/read-all`)).body, {count: 0});
	for (let again = 0; again < 2; again += 1) {
		const read = await mine.put(`${path}/${id}/read`);
		t.is(read.status, 200);
		t.like(read.body, {id, is_read: true});
	}
	t.deepEqual(await unread(), {count: 2});
	t.deepEqual((await mine.put(`${path}/read-all`)).body, {count: 2});
	t.deepEqual(await unread(), {count: 0});
	t.true((await mine.get(path)).body.data.every(({is_read}: Body) => is_read));
	t.is((await mine.put(`${path}/nonsense/read`)).status, 404);
});

test('[NTF-016] what is deleted is gone, and only its user deletes it', async (t) => {
	const world = await start(t);
	const {mine, theirs} = world;
	await tell(world, 2);
	const [{id}] = (await mine.get(path)).body.data;
	t.is((await theirs.delete(`${path}/${id}`)).status, 404);
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.is((await mine.delete(`${path}/${id}`)).status, 404);
	t.deepEqual(titlesOf(await mine.get(path)), ['n0']);
});

test('[NTF-001 NTF-003] every member of its team is told of a call that waits, without its arguments', async (t) => {
	const {server, me, other, mine, theirs} = await start(t);
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body;
	await mine.post(`/v1/teams/${team.id}/members`, {email: other.email, role: 'member'});
	const ofTeam = mine.with({'x-team-id': team.id});
	const approval_config = {enabled: true, trust_level: 'strict'};
	const {id: mcp_server_id, slug} = await addServer(t, ofTeam, {approval_config});
	const calling = new AbortController();
	const call = JSON.stringify(toolCall('delete_item', {password: 'hush-hush'}));
	const headers = {'content-type': 'application/json', accept: 'application/json'};
	const url = `${server.proxyUrl}/p/${slug}`;
	const answering = fetch(url, {method: 'POST', body: call, headers, signal: calling.signal}).catch(() => undefined);
	const told = await toldOnce(t, mine, 'approval_pending');
	t.deepEqual(Object.keys(told).sort(), ['created_at', 'data', 'id', 'is_read', 'message', 'title', 'type']);
	const [approval] = (await ofTeam.get('/v1/mcp/approvals')).body.data;
	t.deepEqual(told.data, {
		...{approval_id: approval.id, mcp_server_id, tool_name: 'delete_item', expires_at: approval.expires_at},
	});
	t.like(told, {title: 'delete_item waits for approval', is_read: false});
	t.regex(told.message, /delete_item on Tickets/);
	t.notRegex(JSON.stringify(told), /hush/);
	const theirsToo = await toldOnce(t, theirs, 'approval_pending');
	t.not(theirsToo.id, told.id);
	t.is((await toldOf((await registerPerson(createApi(server.baseUrl))).api, 'approval_pending')).length, 0);
	t.is(me.id, approval.user_id);
	calling.abort();
	await answering;
});

test('[NTF-002] a notification has one of seven types', async (t) => {
	const {api} = await start(t);
	const {schemas} = (await api.get('/openapi.json')).body.components;
	const types = 'approval_pending endpoint_failure cron_failure chain_failure budget_alert usage_warning system';
	t.deepEqual(schemas.Notification.properties.type.enum, types.split(' '));
});

test('[NTF-004] a delivery that failed for good is told of', async (t) => {
	const {server, mine} = await start(t);
	const destination = await openDestination(t, [410]);
	const fields = {name: 'Orders', destination_url: destination.url};
	const endpoint = (await mine.post('/v1/webhook/endpoints', fields)).body;
	await fetch(`${server.baseUrl}/wh/${endpoint.slug}`, {method: 'POST', body: '{}'});
	const told = await toldOnce(t, mine, 'endpoint_failure');
	t.is(told.data.endpoint_id, endpoint.id);
	t.is((await mine.get(`/v1/webhook/events/${told.data.event_id}`)).body.delivery_status, 'failed');
});

test('[NTF-007] spend that reaches its threshold is told of, once', async (t) => {
	const {mine} = await start(t);
	const rate_limit_config = {
		...{requests_per_minute: 600, burst: 5},
		cost: {budget_cents: 100, alert_threshold_percent: 50},
	};
	const {id, slug} = await addServer(t, mine, {default_cost_cents: 25, rate_limit_config});
	const call = () => mine.post(`/p/${slug}`, toolCall('send'), {accept: 'application/json'});
	await call();
	t.deepEqual(await toldOf(mine, 'budget_alert'), []);
	await call();
	await call();
	t.deepEqual((await toldOnce(t, mine, 'budget_alert')).data, {mcp_server_id: id, usage_percent: 50});
});

test('[NTF-005 NTF-006] a job whose last attempt failed is told of, and so is the chain that failed by it', async (t) => {
	const {server, me, mine} = await start(t);
	const peer = connect(t, server, (await logIn(connect(t, server), me)).api_key);
	const session = await peer.register({
		...{agent_id: '', name: 'db-1', hostname: 'db-1', os: 'linux', arch: 'x64', version: '1.0.0'},
		...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
	});
	const fail = async (): Promise<string> => {
		const spec = await until(async () => (await peer.lease({...session, max: 1})).executions[0], 'a run');
		const hold = {execution_id: spec.execution_id, lease_token: spec.lease_token};
		await peer.start({...hold, started_at_ms: 0});
		const ended = {signal: '', error: '', finished_at_ms: 0, duration_ms: 12, stdout_bytes: 0, stderr_bytes: 0};
		await peer.finish({...hold, ...ended, outcome: 'EXITED', exit_code: 3, truncated: false});
		return hold.execution_id;
	};
	const job = {name: 'Back up', schedule: '@yearly', command: './backup.sh', is_enabled: false};
	const {body: tried} = await mine.post('/v1/cron-jobs', {...job, retry_config: {max_retries: 1, intervals: [60]}});
	await mine.post(`/v1/cron-jobs/${tried.id}/run`);
	await fail();
	t.deepEqual(await toldOf(mine, 'cron_failure'), []);
	server.advance(61_000);
	const last = await fail();
	const told = await toldOnce(t, mine, 'cron_failure');
	t.deepEqual(told.data, {job_id: tried.id, execution_id: last, status: 'failed'});
	const {body: quiet} = await mine.post('/v1/cron-jobs', {
		...job,
		notification_config: {on_failure: {enabled: false}},
	});
	const steps = [{cron_job_id: quiet.id, step_order: 0}];
	const {body: chain} = await mine.post('/v1/cron/chains', {name: 'Nightly', trigger_type: 'manual', steps});
	await mine.post(`/v1/cron/chains/${chain.id}/run`);
	await fail();
	t.like((await toldOnce(t, mine, 'chain_failure')).data, {chain_id: chain.id, status: 'failed'});
	t.is((await toldOf(mine, 'cron_failure')).length, 1);
});
