import {randomBytes} from 'node:crypto';
import type {DomainEvent} from '@signalbox/core';
import test, {type ExecutionContext} from 'ava';
import {type Api, bearer, createApi, registerPerson} from '../support/api.ts';
import {engine} from '../support/engine.ts';
import {connect, logIn} from '../support/grpc.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {createLogicalDatabase, mariadbIsMissing} from '../support/mariadb.ts';
import {until} from '../support/mcp/until.ts';
import {testWithRedis} from '../support/redis.ts';
import {startTestServer, type TestServer, type TestServerOptions} from '../support/server.ts';

/** Two servers on one database, and one person at both. */
const startTwo = async (t: ExecutionContext, options: TestServerOptions = {}) => {
	const one = await startTestServer(options);
	t.teardown(one.close);
	const other = await startTestServer({...options, env: {...options.env, DATA_DIR: one.dataDir}});
	t.teardown(other.close);
	const person = await registerPerson(createApi(one.baseUrl));
	return {one, other, person, api: person.api, otherApi: createApi(other.baseUrl, bearer(person.access_token))};
};

const addServer = async (t: ExecutionContext, api: Api) => {
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const approval_config = {enabled: true, trust_level: 'strict'};
	const {body} = await api.post('/v1/mcp/servers', {name: 'tools', target_url: upstream.url, approval_config});
	return {upstream, id: body.id, slug: body.slug};
};

/** A call that is held, over one process, and its approval as another one sees it. */
const holdCall = async (slug: string, api: Api, deciding: Api) => {
	const call = toolCall('delete_item');
	const answering = api.post(`/p/${slug}`, call, {accept: 'application/json'});
	const approval = await until(async () => (await deciding.get('/v1/mcp/approvals')).body.data[0], 'the approval');
	return {answering, id: approval.id, requestId: call.id};
};

test('[PRX-102] what is decided over one process is released, or blocked, in another one on the same database', async (t) => {
	const {api, otherApi} = await startTwo(t);
	const {slug, upstream} = await addServer(t, api);
	for (const decision of ['approve', 'reject']) {
		const {answering, id} = await holdCall(slug, otherApi, api);
		t.is((await api.post(`/v1/mcp/approvals/${id}/${decision}`, {})).status, 200);
		t.is((await answering).body.result.isError === true, decision === 'reject');
		t.is((await otherApi.get(`/v1/mcp/approvals/${id}`)).body.status, `${decision.replace(/e$/, '')}ed`);
	}
	t.is(upstream.received.length, 1);
});

test('a call that is taken back over one process is let go by the other one that holds it', async (t) => {
	const {api, otherApi} = await startTwo(t);
	const {slug, upstream} = await addServer(t, api);
	const {answering, id, requestId} = await holdCall(slug, otherApi, api);
	const notification = {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId}};
	await api.post(`/p/${slug}`, notification, {accept: 'application/json, text/event-stream'});
	t.is((await answering).text, '');
	await until(async () => !(await api.get(`/v1/mcp/approvals/${id}`)).body.caller_waiting, 'that nobody waits');
	t.deepEqual(
		upstream.received.map(({message}) => message.method),
		['notifications/cancelled'],
	);
});

const listenTo = ({composition}: TestServer) => {
	const heard: DomainEvent[] = [];
	composition.ports.signals.subscribe((event) => heard.push(event));
	return async (type: DomainEvent['type'], id: string) =>
		until(() => heard.some((event) => event.type === type && Object.values(event).includes(id)), type);
};

/** An agent that is told what there is to do, and what is to end. */
const watchAs = async (t: ExecutionContext, server: TestServer, apiKey: string) => {
	const agent = connect(t, server, apiKey);
	const session = await agent.register({
		...{agent_id: '', name: 'db-1', hostname: 'db-1', os: 'linux', arch: 'x64', version: '1.0.0'},
		...{boot_id: 'b1', capacity: 4, running: [], protocol_version: 1},
	});
	const watching = new AbortController();
	t.teardown(async () => watching.abort());
	return agent.watch(session, {signal: watching.signal})[Symbol.asyncIterator]();
};

type Walk = (t: ExecutionContext, options?: TestServerOptions) => Promise<void>;

/** Nothing but a signal tells of these. */
const walks: Readonly<Record<string, Walk>> = {
	'a change of a server or an endpoint is told to the processes that remember them': async (t, options) => {
		const {other, api} = await startTwo(t, options);
		const hears = listenTo(other);
		const {id} = await addServer(t, api);
		await api.put(`/v1/mcp/servers/${id}`, {name: 'renamed'});
		await hears('mcp.server.changed', id);
		const fields = {name: 'Orders', destination_url: 'http://127.0.0.1:9/hook'};
		const endpoint = (await api.post('/v1/webhook/endpoints', fields)).body;
		await api.put(`/v1/webhook/endpoints/${endpoint.id}`, {name: 'renamed'});
		await hears('webhook.endpoint.changed', endpoint.id);
		t.pass();
	},
	'a decision is told to the process that holds the call, which goes on within a second': async (t, options) => {
		const {other, api, otherApi} = await startTwo(t, options);
		const hears = listenTo(other);
		const {slug} = await addServer(t, api);
		const took: number[] = [];
		// The quickest of some: others may keep the machine busy.
		for (let call = 0; call < 3; call += 1) {
			const {answering, id} = await holdCall(slug, otherApi, api);
			await api.post(`/v1/mcp/approvals/${id}/approve`, {});
			const decided = performance.now();
			await hears('approval.decided', id);
			await answering;
			took.push(Math.round(performance.now() - decided));
		}
		t.log(`answered after ${took.join(', ')} ms`);
		t.true(Math.min(...took) < 1000);
	},
	'a cancel is told to the agent whose stream another process has': async (t, options) => {
		const {one, other, person, api} = await startTwo(t, options);
		const {api_key} = await logIn(connect(t, one), person);
		const hints = await watchAs(t, other, api_key);
		const job = (await api.post('/v1/cron-jobs', {name: 'Back up', schedule: '0 3 * * *', command: './backup.sh'}))
			.body;
		let woken = false;
		void hints.next().then(() => {
			woken = true;
		});
		// Whoever watches is told of what happens once the server has the call: so it happens until then.
		const id = await until(async () => {
			const run = await api.post(`/v1/cron-jobs/${job.id}/run`);
			return woken && run.body.id;
		});
		await api.post(`/v1/cron-executions/${id}/cancel`);
		await until(async () => {
			const {value} = await hints.next();
			return value?.$case === 'cancel' && value.value.execution_id === id;
		});
		t.pass();
	},
};

/** What two servers need that share a database which is no file. */
const testOnMariadb = (title: string, walk: Walk): void =>
	test(title, async (t) => {
		const missing = await mariadbIsMissing();
		if (missing !== undefined) {
			t.log(`not tried: ${missing}`);
			t.pass();
			return;
		}
		const {url, drop} = await createLogicalDatabase();
		t.teardown(drop);
		const key = `k1:${randomBytes(32).toString('base64')}`;
		await walk(t, {env: {DATABASE_URL: url, SIGNALBOX_MASTER_KEYS: key, SIGNALBOX_JWT_KEYS: key}});
	});

for (const [title, walk] of Object.entries(walks)) {
	test(`through the file they share, ${title}`, async (t) => walk(t));
	testOnMariadb(`through the MariaDB they share, ${title}`, walk);
	testWithRedis(`[HTTP-078] through Redis, ${title}`, async (t, {url}) => walk(t, {env: {REDIS_URL: url}}));
}

/** Asks both in turn, and answers how many requests were let through. */
const countAllowed = async ({one, other}: Readonly<{one: TestServer; other: TestServer}>, requests: number) => {
	let allowed = 0;
	for (let request = 0; request < requests; request += 1) {
		const {status} = await createApi((request % 2 === 0 ? one : other).baseUrl).get('/v1/mcp/servers');
		if (status !== 429) allowed += 1;
	}
	return allowed;
};

/** As few as a test can count, and so slow that none flows in meanwhile. */
const few = {per_minute: 1, burst: 5};
const plenty = {per_minute: 1_000_000, burst: 0};
const entries = {login: plenty, register: plenty, refresh: plenty};
const limits = {anonymous: few, address: entries, account: entries};

testWithRedis('[HTTP-079] with REDIS_URL processes count requests together', async (t, {url}) => {
	const servers = await startTwo(t, {limits, env: {REDIS_URL: url}});
	t.is(await countAllowed(servers, 12), 6);
});

const without = {
	sqlite: {how: 'on one SQLite file count requests each for itself', allowed: 12},
	mariadb: {how: 'on one database of MariaDB count requests together', allowed: 6},
}[engine];

test(`without REDIS_URL processes ${without.how}`, async (t) => {
	t.is(await countAllowed(await startTwo(t, {limits}), 14), without.allowed);
});

testOnMariadb('without REDIS_URL processes on one MariaDB count requests together', async (t, options) => {
	t.is(await countAllowed(await startTwo(t, {...options, limits}), 12), 6);
});

test('a Redis that is away keeps no server from starting, answering and stopping', async (t) => {
	const server = await startTestServer({limits, env: {REDIS_URL: 'redis://me:hush-hush@127.0.0.1:1'}});
	const statuses = [];
	for (let request = 0; request < 7; request += 1)
		statuses.push((await createApi(server.baseUrl).get('/v1/mcp/servers')).status);
	await server.close();
	t.deepEqual(statuses, [401, 401, 401, 401, 401, 401, 429]);
	const warnings = server.logs().filter((line) => line.includes('not shared'));
	t.is(warnings.length, 1);
	t.notRegex(server.logs().join('\n'), /hush/);
});

testWithRedis(
	'[HTTP-080] with REDIS_URL Redis holds what was counted and nothing else: due work is found without it',
	async (t, {url, keys}) => {
		const one = await startTestServer({limits, env: {REDIS_URL: url, SIGNALBOX_ROLES: 'api,grpc'}});
		t.teardown(one.close);
		await createApi(one.baseUrl).get('/v1/mcp/servers');
		// Whoever does the work here has no Redis: all that it knows comes from the database.
		const worker = await startTestServer({env: {DATA_DIR: one.dataDir, SIGNALBOX_ROLES: 'worker,grpc'}});
		t.teardown(worker.close);
		const person = await registerPerson(createApi(one.baseUrl));
		const job = {name: 'Back up', schedule: 'every minute', command: './backup.sh'};
		await person.api.post('/v1/cron-jobs', job);
		const {api_key} = await logIn(connect(t, one), person);
		await watchAs(t, one, api_key);
		worker.advance(61_000);
		await until(async () => (await person.api.get('/v1/cron-executions')).body.data.length > 0, 'the run');
		const held = await keys();
		t.true(held.length > 0);
		t.deepEqual(
			held.filter((key) => !key.startsWith('rate:')),
			[],
		);
	},
);
