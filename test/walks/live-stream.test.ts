import test, {type ExecutionContext} from 'ava';
import {type Api, type Body, bearer, createApi, type Person, registerPerson} from '../support/api.ts';
import {connect, logIn} from '../support/grpc.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {listenTo} from '../support/live-stream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer, type TestServer} from '../support/server.ts';
import {openDestination} from '../support/webhooks.ts';

const listen = async (
	t: ExecutionContext,
	{baseUrl}: Pick<TestServer, 'baseUrl'>,
	{headers, query = ''}: Readonly<{headers: Record<string, string>; query?: string}>,
) => {
	const stream = await listenTo({url: `${baseUrl}/v1/stream${query}`, headers});
	t.teardown(stream.end);
	return stream;
};

const start = async (t: ExecutionContext) => {
	const server = await startTestServer();
	t.teardown(server.close);
	const anyone = createApi(server.baseUrl);
	const me = await registerPerson(anyone, 'me');
	const open = async (person: Person, query = '') => {
		const stream = await listen(t, server, {headers: bearer(person.access_token), query});
		await stream.frame('open');
		return stream;
	};
	return {server, anyone, me, mine: me.api, open};
};

const addServer = async (t: ExecutionContext, api: Api, fields: Body = {}): Promise<Body> => {
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	return (await api.post('/v1/mcp/servers', {name: 'Tickets', target_url: upstream.url, ...fields})).body;
};

const strict = {approval_config: {enabled: true, trust_level: 'strict'}};

const addEndpoint = async (api: Api, destination_url: string): Promise<Body> =>
	(await api.post('/v1/webhook/endpoints', {name: 'Orders', destination_url})).body;

const sendWebhook = async (baseUrl: string, {slug}: Body): Promise<string> => {
	const answer = await fetch(`${baseUrl}/wh/${slug}`, {method: 'POST', body: '{"order":"hush-hush"}'});
	return ((await answer.json()) as Body).event_id;
};

test('[NTF-017] the stream is one of Server-Sent Events, which nothing on its way is to hold back', async (t) => {
	const {server, anyone, me} = await start(t);
	t.is((await anyone.get('/v1/stream')).status, 401);
	const headers = {...bearer(me.access_token), 'accept-encoding': 'gzip'};
	const {response, frame, comments} = await listen(t, server, {headers});
	t.is(response.status, 200);
	t.is(response.headers.get('content-type'), 'text/event-stream');
	t.is(response.headers.get('x-accel-buffering'), 'no');
	t.is(response.headers.get('cache-control'), 'no-store');
	t.is(response.headers.get('content-encoding'), null);
	t.deepEqual((await frame('open')).data, {});
	server.advance(15_000);
	await until(async () => comments.includes(': still here'), 'a heartbeat');
	for (const query of ['?types=nonsense', '?types=', '?type=mcp.call'])
		t.is((await me.api.get(`/v1/stream${query}`)).status, 400, query);
});

test('[NTF-019 NTF-020 NTF-021] a call that waits, its decision and its outcome are told as they happen, without arguments', async (t) => {
	const {mine, me, open} = await start(t);
	const stream = await open(me);
	const {id: mcp_server_id, slug} = await addServer(t, mine, strict);
	const answering = mine.post(`/p/${slug}`, toolCall('send_email', {to: 'hush-hush'}), {accept: 'application/json'});
	const pending = (await stream.frame('approval.pending')).data;
	t.like(pending, {type: 'approval.pending', data: {mcp_server_id, tool_name: 'send_email', status: 'pending'}});
	await mine.post(`/v1/mcp/approvals/${pending.data.id}/approve`, {note: 'fine'});
	const decided = (await stream.frame('approval.decided')).data;
	t.like(decided.data, {id: pending.data.id, status: 'approved', decided_by: me.id, decision_note: 'fine'});
	await answering;
	const call = (await stream.frame('mcp.call')).data;
	t.like(call.data, {mcp_server_id, tool_name: 'send_email', status: 'success', approval_id: pending.data.id});
	t.notRegex(JSON.stringify(stream.frames), /hush/);
});

test('[NTF-022 NTF-023] a webhook and its delivery are told as they happen, without the body', async (t) => {
	const {server, mine, me, open} = await start(t);
	const stream = await open(me);
	const {url} = await openDestination(t, [500]);
	const endpoint = await addEndpoint(mine, url);
	const event_id = await sendWebhook(server.baseUrl, endpoint);
	const event = (await stream.frame('webhook.event')).data;
	t.like(event.data, {id: event_id, endpoint_id: endpoint.id, delivery_status: 'pending'});
	await stream.frame('webhook.delivery', ({data}) => data.event_id === event_id && data.status === 'retrying');
	server.advance(30_000);
	await stream.frame('webhook.delivery', ({data}) => data.event_id === event_id && data.status === 'delivered');
	t.notRegex(JSON.stringify(stream.frames), /hush/);
});

test('[NTF-024 NTF-025 NTF-026] runs of jobs and chains and what is told of them arrive, without output', async (t) => {
	const {server, mine, me, open} = await start(t);
	const stream = await open(me);
	const peer = connect(t, server, (await logIn(connect(t, server), me)).api_key);
	const session = await peer.register({
		...{agent_id: '', name: 'db-1', hostname: 'db-1', os: 'linux', arch: 'x64', version: '1.0.0'},
		...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
	});
	const job = {name: 'Back up', schedule: '@yearly', command: './backup.sh', is_enabled: false};
	const {id: cron_job_id} = (await mine.post('/v1/cron-jobs', job)).body;
	const steps = [{cron_job_id, step_order: 0}];
	const chain = (await mine.post('/v1/cron/chains', {name: 'Nightly', trigger_type: 'manual', steps})).body;
	const execution = (await mine.post(`/v1/cron/chains/${chain.id}/run`)).body;
	const spec = await until(async () => (await peer.lease({...session, max: 1})).executions[0], 'a run');
	const hold = {execution_id: spec.execution_id, lease_token: spec.lease_token};
	await peer.start({...hold, started_at_ms: 0});
	const ended = {signal: '', error: 'hush-hush', finished_at_ms: 0, duration_ms: 12, stdout_bytes: 0, stderr_bytes: 0};
	await peer.finish({...hold, ...ended, outcome: 'EXITED', exit_code: 3, truncated: false});
	for (const status of ['pending', 'running', 'failed'])
		await stream.frame('cron.execution', ({data}) => data.id === spec.execution_id && data.status === status);
	const run = stream.frames.findLast(({event}) => event === 'cron.execution')?.data.data;
	t.like(run, {job_id: cron_job_id, job_name: 'Back up', exit_code: 3, attempt: 1, triggered_by: 'chain'});
	const over = await stream.frame('chain.execution', ({data}) => data.status === 'failed');
	t.like(over.data.data, {id: execution.id, chain_id: chain.id, chain_name: 'Nightly'});
	t.is(over.data.data.steps[0].status, 'failed');
	const news = await stream.frame('notification', ({data}) => data.type === 'chain_failure');
	t.like(news.data.data, {title: 'Nightly failed', is_read: false});
	const ofRuns = stream.frames.filter(({event}) => event !== 'notification');
	t.notRegex(JSON.stringify(ofRuns), /hush/);
});

test('[NTF-018] who comes back within a quarter of an hour goes on where they were, and later begins anew', async (t) => {
	const {server, mine, me, open} = await start(t);
	const headers = bearer(me.access_token);
	const endpoint = await addEndpoint(mine, 'http://127.0.0.1:9/');
	const first = await open(me, '?types=webhook.event');
	const ids = [await sendWebhook(server.baseUrl, endpoint)];
	const {id} = await first.frame('webhook.event');
	await first.end();
	for (const _ of [1, 2, 3]) ids.push(await sendWebhook(server.baseUrl, endpoint));
	const back = await listen(t, server, {
		headers: {...headers, 'last-event-id': String(id)},
		query: '?types=webhook.event',
	});
	await back.frame('webhook.event', ({data}) => data.id === ids[3]);
	t.deepEqual(
		back.frames.map(({event, data}) => data.data?.id ?? event),
		['open', ...ids.slice(1)],
	);
	t.is(back.frames[0]?.id, id);
	await back.end();
	for (const unknown of ['999999999999', 'nonsense']) {
		const lost = await listen(t, server, {headers: {...headers, 'last-event-id': unknown}});
		await lost.frame('reset');
		await lost.end();
	}
	server.advance(16 * 60_000);
	const again = (await createApi(server.baseUrl).post('/v1/auth/login', {email: me.email, password: me.password})).body;
	const late = await listen(t, server, {headers: {...bearer(again.access_token), 'last-event-id': String(id)}});
	await late.frame('reset');
	t.is(late.frames.length, 1);
});
