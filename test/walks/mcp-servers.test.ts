import test from 'ava';
import {createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

const start = async (t: {teardown(end: () => Promise<void>): void}, env: Record<string, string> = {}) => {
	const server = await startTestServer({env});
	t.teardown(server.close);
	const api = createApi(server.baseUrl);
	const [me, other] = [await registerPerson(api, 'me'), await registerPerson(api, 'other')];
	return {server, api, me, mine: me.api, theirs: other.api};
};

const path = '/v1/mcp/servers';
const unknownId = '01890000-0000-7000-8000-000000000000';
const minimal = {name: 'tools', target_url: 'http://127.0.0.1:9/mcp'};

test('[MCP-001 MCP-006 MCP-086] name and target_url make a server with every field, and safe defaults', async (t) => {
	const {mine} = await start(t);
	const reply = await mine.post(path, minimal);
	t.is(reply.status, 201);
	const fields =
		'id user_id team_id slug name target_url is_active default_cost_cents approval_config rate_limit_config created_at updated_at';
	for (const field of fields.split(' ')) t.true(field in reply.body, field);
	t.like(reply.body, {...minimal, is_active: true, default_cost_cents: 0, require_auth: false});
	t.like(reply.body.approval_config, {
		enabled: false,
		default_action: 'require',
		trust_level: 'strict',
		ttl_seconds: 300,
		rules: [],
	});
});

test('[MCP-002 MCP-003 MCP-004] a server names its creator, the team active at creation, and a URL-safe slug', async (t) => {
	const {me, mine} = await start(t);
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const {body} = await mine.post(path, minimal, {'x-team-id': team});
	t.is(body.user_id, me.id);
	t.is(body.team_id, team);
	t.regex(body.slug, /^[A-Za-z0-9_-]{17,}$/);
	t.not((await mine.post(path, minimal)).body.slug, body.slug);
});

test('[MCP-007 MCP-008 MCP-009] a missing or malformed field is 400 and is named; nothing is made', async (t) => {
	const {mine} = await start(t);
	const cases: [string, object][] = [
		['name', {target_url: minimal.target_url}],
		['target_url', {name: 'tools'}],
		['name', {...minimal, name: 7}],
		['name', {...minimal, name: ''}],
		['target_url', {...minimal, target_url: 'not a url'}],
		['target_url', {...minimal, target_url: 'file:///etc/passwd'}],
		['target_url', {...minimal, target_url: 'http://user:secret@127.0.0.1/mcp'}],
		['target_url', {...minimal, target_url: 'http://{{env.HOST}}/mcp'}],
		['is_active', {...minimal, is_active: 'yes'}],
		['default_cost_cents', {...minimal, default_cost_cents: -1}],
		['colour', {...minimal, colour: 'red'}],
		['slug', {...minimal, slug: 'chosen'}],
	];
	for (const [field, body] of cases) {
		const reply = await mine.post(path, body);
		t.is(reply.status, 400, JSON.stringify(body));
		t.is(reply.body.error.code, 'validation_error');
		t.is(reply.body.error.details[0].path, field);
	}
	t.deepEqual((await mine.get(path)).body, {data: []});
});

test('[MCP-010 HTTP-028 ACC-079] a server beyond the plan is 403 plan_limit_reached', async (t) => {
	const {mine} = await start(t, {SIGNALBOX_DEFAULT_PLAN: 'free'});
	const replies = await Promise.all(Array.from({length: 6}, async () => mine.post(path, minimal)));
	t.is(replies.filter(({status}) => status === 201).length, 3);
	const refused = replies.filter(({status}) => status === 403);
	t.is(refused.length, 3);
	t.true(refused.every(({body}) => body.error.code === 'plan_limit_reached'));
});

test('[MCP-011 MCP-012] list answers the servers of the active team only; get one by its id', async (t) => {
	const {mine, theirs} = await start(t);
	const team = (await mine.post('/v1/teams', {name: 'Operations'})).body.id;
	const personal = (await mine.post(path, minimal)).body.id;
	const shared = (await mine.post(path, minimal, {'x-team-id': team})).body.id;
	await theirs.post(path, minimal);
	const ids = async (headers = {}) => (await mine.get(path, headers)).body.data.map(({id}: {id: string}) => id);
	t.deepEqual(await ids(), [personal]);
	t.deepEqual(await ids({'x-team-id': team}), [shared]);
	t.is((await mine.get(`${path}/${shared}`)).body.id, shared);
});

test('[MCP-013 MCP-019] update changes what is given and leaves the rest', async (t) => {
	const {mine} = await start(t);
	const {id} = (await mine.post(path, {...minimal, default_cost_cents: 5})).body;
	const updated = await mine.put(`${path}/${id}`, {name: 'renamed', is_active: false});
	t.is(updated.status, 200);
	t.like(updated.body, {name: 'renamed', is_active: false, default_cost_cents: 5, target_url: minimal.target_url});
	const moved = await mine.put(`${path}/${id}`, {target_url: 'http://127.0.0.1:10/mcp', is_active: true});
	t.like(moved.body, {target_url: 'http://127.0.0.1:10/mcp', is_active: true, name: 'renamed'});
	const gated = await mine.put(`${path}/${id}`, {approval_config: {enabled: true, trust_level: 'moderate'}});
	t.like(gated.body.approval_config, {enabled: true, trust_level: 'moderate', ttl_seconds: 300});
	t.true(gated.body.updated_at >= gated.body.created_at);
});

test('[MCP-014 MCP-017] a deleted server is gone; unknown and foreign ids are 404', async (t) => {
	const {mine, theirs} = await start(t);
	const {id} = (await mine.post(path, minimal)).body;
	const attempts = async (api: typeof mine, target: string) => [
		(await api.get(`${path}/${target}`)).status,
		(await api.put(`${path}/${target}`, {name: 'x'})).status,
		(await api.delete(`${path}/${target}`)).status,
	];
	t.deepEqual(await attempts(theirs, id), [404, 404, 404]);
	t.deepEqual(await attempts(mine, unknownId), [404, 404, 404]);
	t.is((await mine.delete(`${path}/${id}`)).status, 204);
	t.deepEqual(await attempts(mine, id), [404, 404, 404]);
});

test('[MCP-016 MCP-077 APR-073] servers, calls and approvals want credentials', async (t) => {
	const {api} = await start(t);
	const gets = [path, `${path}/${unknownId}`, '/v1/mcp/calls', '/v1/mcp/calls/count', '/v1/mcp/calls/metrics'];
	for (const url of [...gets, `/v1/mcp/calls/${unknownId}`, '/v1/mcp/approvals', `/v1/mcp/approvals/${unknownId}`]) {
		t.is((await api.get(url)).status, 401, url);
	}
	t.is((await api.post(path, minimal)).status, 401);
	t.is((await api.put(`${path}/${unknownId}`, {})).status, 401);
	t.is((await api.delete(`${path}/${unknownId}`)).status, 401);
	t.is((await api.delete(`/v1/mcp/calls/${unknownId}`)).status, 401);
	t.is((await api.post(`/v1/mcp/approvals/${unknownId}/approve`, {})).status, 401);
	t.is((await api.post(`/v1/mcp/approvals/${unknownId}/reject`, {})).status, 401);
});

test('[MCP-018 MCP-032 MCP-033] approval_config is set at create, and its words are checked', async (t) => {
	const {mine} = await start(t);
	const approval_config = {
		enabled: true,
		default_action: 'allow',
		trust_level: 'moderate',
		ttl_seconds: 60,
		rules: [{pattern: 'delete_*', action: 'require'}],
	};
	t.deepEqual((await mine.post(path, {...minimal, approval_config})).body.approval_config, approval_config);
	const outcome = async (change: object) =>
		(await mine.post(path, {...minimal, approval_config: {...approval_config, ...change}})).status;
	t.is(await outcome({trust_level: 'lenient'}), 400);
	t.is(await outcome({default_action: 'deny'}), 400);
	t.is(await outcome({ttl_seconds: 0}), 400);
	t.is(await outcome({colour: 'red'}), 400);
});

test('[APR-005] a rule is a pattern and an action, nothing else', async (t) => {
	const {mine} = await start(t);
	const outcome = async (rule: object) =>
		(await mine.post(path, {...minimal, approval_config: {rules: [rule]}})).status;
	t.is(await outcome({pattern: 'get_*', action: 'allow'}), 201);
	t.is(await outcome({pattern: 'get_*', action: 'deny'}), 400);
	t.is(await outcome({pattern: 'get_*'}), 400);
	t.is(await outcome({action: 'allow'}), 400);
	t.is(await outcome({pattern: 'get_*', action: 'allow', note: 'x'}), 400);
	t.is(await outcome({pattern: '[a', action: 'allow'}), 400);
});

test('[MCP-020 MCP-021 MCP-024] create and update take cost, limits and require_auth', async (t) => {
	const {mine} = await start(t);
	const settings = {
		default_cost_cents: 3,
		rate_limit_config: {requests_per_minute: 60, burst: 5, cost: {budget_cents: 100, alert_threshold_percent: 50}},
		require_auth: true,
	};
	const created = await mine.post(path, {...minimal, ...settings});
	t.like(created.body, settings);
	const plain = await mine.post(path, minimal);
	t.is(plain.body.require_auth, false);
	t.like((await mine.put(`${path}/${plain.body.id}`, settings)).body, settings);
});

test('[MCP-079 MCP-080] rate_limit_config refuses other fields; the alert threshold defaults to 80', async (t) => {
	const {mine} = await start(t);
	const outcome = async (rate_limit_config: object) => mine.post(path, {...minimal, rate_limit_config});
	t.is((await outcome({per_second: 1})).status, 400);
	t.is((await outcome({cost: {budget_cents: 1, currency: 'EUR'}})).status, 400);
	t.is((await outcome({requests_per_minute: 0})).status, 400);
	const reply = await outcome({cost: {budget_cents: 100}});
	t.is(reply.body.rate_limit_config.cost.alert_threshold_percent, 80);
});

test('[MCP-022 MCP-023 MCP-089] upstream_headers are masked in every answer and cleared with another origin', async (t) => {
	const {mine} = await start(t);
	const upstream_headers = {authorization: 'Bearer s3cret-of-the-upstream', 'x-extra': '{{env.EXTRA}}'};
	const created = await mine.post(path, {...minimal, upstream_headers});
	t.is(created.status, 201);
	const url = `${path}/${created.body.id}`;
	const answers = [created, await mine.get(url), await mine.get(path), await mine.put(url, {name: 'renamed'})];
	for (const answer of answers) t.false(answer.text.includes('s3cret-of-the-upstream'));
	t.deepEqual(Object.keys(created.body.upstream_headers).sort(), ['authorization', 'x-extra']);
	const samePlace = await mine.put(url, {target_url: 'http://127.0.0.1:9/other'});
	t.deepEqual(Object.keys(samePlace.body.upstream_headers).sort(), ['authorization', 'x-extra']);
	const elsewhere = await mine.put(url, {target_url: 'http://127.0.0.1:10/mcp'});
	t.deepEqual(elsewhere.body.upstream_headers, {});
	const both = await mine.put(url, {target_url: 'http://127.0.0.1:11/mcp', upstream_headers: {'x-new': 'v'}});
	t.deepEqual(Object.keys(both.body.upstream_headers), ['x-new']);
});

test('[MCP-090] rotate-slug answers a new slug at once, and the old one is 404', async (t) => {
	const {server, mine} = await start(t);
	const {id, slug} = (await mine.post(path, minimal)).body;
	const rotated = await mine.post(`${path}/${id}/rotate-slug`);
	t.is(rotated.status, 200);
	t.not(rotated.body.slug, slug);
	const call = {method: 'POST', headers: {'content-type': 'application/json'}, body: '{}'};
	t.is((await fetch(`${server.baseUrl}/p/${slug}`, call)).status, 404);
	t.not((await fetch(`${server.baseUrl}/p/${rotated.body.slug}`, call)).status, 404);
});

test('[MCP-085] costs answer an empty month for a new server, and refuse a month that is none', async (t) => {
	const {mine} = await start(t);
	const {id} = (await mine.post(path, {...minimal, rate_limit_config: {cost: {budget_cents: 500}}})).body;
	const reply = await mine.get(`${path}/${id}/costs?year=2026&month=1`);
	t.is(reply.status, 200);
	t.deepEqual(reply.body, {total_cents: 0, budget_cents: 500, usage_percent: 0, tool_breakdown: []});
	t.is((await mine.get(`${path}/${id}/costs?year=2026&month=13`)).status, 400);
	t.is((await mine.get(`${path}/${unknownId}/costs`)).status, 404);
});

test('[MCP-092] the audit log tells who changed what, newest first', async (t) => {
	const {me, mine} = await start(t);
	const {id} = (await mine.post(path, minimal)).body;
	await mine.put(`${path}/${id}`, {approval_config: {enabled: true}});
	const key = (await mine.post('/v1/api-keys', {name: 'ci'})).body;
	await mine.post('/v1/environment', {key: 'K', value: 'the-value-itself'});
	const audit = await mine.get('/v1/audit');
	t.is(audit.status, 200);
	const actions = audit.body.data.map(({action}: {action: string}) => action);
	const expected = ['environment.created', 'api_key.created', 'mcp_server.updated', 'mcp_server.created'];
	t.deepEqual(actions.slice(0, 4), expected);
	t.true(audit.body.data.every((entry: {user_id: string}) => entry.user_id === me.id));
	t.false(audit.text.includes('the-value-itself'));
	t.false(audit.text.includes(key.key.slice('sbx_12345678_'.length)));
});
