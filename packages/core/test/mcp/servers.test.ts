import {defaultSettings, type ServerSettings} from '@signalbox/core';
import {addCaller, buildVariable} from '@signalbox/core/testing';
import test from 'ava';
import {refusalOf, startWorld, type World, withKey} from './support.ts';

const page = {limit: 10, offset: 0};
const mask = '********';
const wanted = {name: 'Tickets', target_url: 'https://mcp.example.com/mcp'};

const create = (world: World, settings: ServerSettings = {}) =>
	world.core.mcp.servers.create(world.caller, {...wanted, ...settings});

const recordOf = async (world: World, slug: string) => {
	const record = await world.core.mcp.servers.bySlug(slug);
	if (!record) throw new Error('no such slug');
	return record;
};

test('[MCP-086] what a request leaves out has its default', async (t) => {
	const world = await startWorld();
	const {id, slug, ...server} = await create(world);
	t.deepEqual(server, {
		...wanted,
		user_id: world.caller.user_id,
		team_id: world.caller.team_id,
		is_active: true,
		default_cost_cents: 0,
		approval_config: {enabled: false, default_action: 'require', trust_level: 'strict', ttl_seconds: 300, rules: []},
		rate_limit_config: {},
		upstream_headers: {},
		forward_headers: [],
		allowed_methods: [],
		require_auth: false,
		log_bodies: {mode: 'full', paths: []},
		created_at: world.clock.now(),
		updated_at: world.clock.now(),
	});
	t.is((await world.core.mcp.servers.get(world.caller, id)).slug, slug);
});

test('[MCP-004 MCP-005] a slug is URL-safe and holds 128 random bits', async (t) => {
	const world = await startWorld();
	const slugs = await Promise.all(Array.from({length: 200}, async () => (await create(world)).slug));
	t.is(new Set(slugs).size, 200);
	for (const slug of slugs) {
		t.regex(slug, /^[A-Za-z0-9_-]{22}$/);
		t.is(Buffer.from(slug, 'base64url').length, 16);
	}
});

test('[MCP-030 MCP-031] fields left out of approval_config have their default, or keep their value', async (t) => {
	const world = await startWorld();
	const server = await create(world, {approval_config: {enabled: true}});
	t.like(server.approval_config, {enabled: true, trust_level: 'strict', ttl_seconds: 300});
	const rules = [{pattern: 'get_*', action: 'allow' as const}];
	const changed = await world.core.mcp.servers.update(world.caller, server.id, {approval_config: {rules}});
	t.deepEqual(changed.approval_config, {...server.approval_config, rules});
});

test('[MCP-080] alert_threshold_percent defaults to 80', async (t) => {
	const world = await startWorld();
	const server = await create(world, {rate_limit_config: {cost: {budget_cents: 500}}});
	t.deepEqual(server.rate_limit_config, {cost: {budget_cents: 500, alert_threshold_percent: 80}});
});

const badSettings: readonly (readonly [unknown, string])[] = [
	[{name: ''}, 'name'],
	[{name: ' '}, 'name'],
	[{target_url: 'ftp://example.com'}, 'target_url'],
	[{target_url: 'mcp.example.com'}, 'target_url'],
	[{target_url: 'https://{{env.HOST}}/mcp'}, 'target_url'],
	[{target_url: '{{env.SCHEME}}://example.com'}, 'target_url'],
	[{target_url: 'https://user:password@example.com'}, 'target_url'],
	[{default_cost_cents: -1}, 'default_cost_cents'],
	[{default_cost_cents: 0.5}, 'default_cost_cents'],
	[{approval_config: {trust_level: 'blind'}}, 'approval_config.trust_level'],
	[{approval_config: {default_action: 'deny'}}, 'approval_config.default_action'],
	[{approval_config: {ttl_seconds: 0}}, 'approval_config.ttl_seconds'],
	[{approval_config: {rules: [{pattern: 'a', action: 'deny'}]}}, 'approval_config.rules.0.action'],
	[{approval_config: {rules: [{pattern: 'a', action: 'allow', note: ''}]}}, 'approval_config.rules.0.note'],
	[{approval_config: {rules: [{pattern: '[a', action: 'allow'}]}}, 'approval_config.rules.0.pattern'],
	[{rate_limit_config: {per_second: 1}}, 'rate_limit_config.per_second'],
	[{rate_limit_config: {requests_per_minute: 0}}, 'rate_limit_config.requests_per_minute'],
	[
		{rate_limit_config: {cost: {budget_cents: 1, alert_threshold_percent: 101}}},
		'rate_limit_config.cost.alert_threshold_percent',
	],
	[{upstream_headers: {'a b': 'x'}}, 'upstream_headers.a b'],
	[{upstream_headers: {host: 'x'}}, 'upstream_headers.host'],
	[{upstream_headers: {'Accept-Encoding': 'gzip'}}, 'upstream_headers.Accept-Encoding'],
	[{upstream_headers: {'Proxy-Anything': 'x'}}, 'upstream_headers.Proxy-Anything'],
	[{upstream_headers: {'x-a': 'line\r\nbreak'}}, 'upstream_headers.x-a'],
	[{upstream_headers: {'x-a': '1', 'X-A': '2'}}, 'upstream_headers'],
	[{upstream_headers: {'x-a': mask}}, 'upstream_headers.x-a'],
	[{forward_headers: ['x-api-key']}, 'forward_headers.0'],
	[{forward_headers: ['accept-encoding']}, 'forward_headers.0'],
	[{forward_headers: ['Cookie']}, 'forward_headers.0'],
	[{allowed_methods: ['a b']}, 'allowed_methods.0'],
	[{log_bodies: {mode: 'some', paths: []}}, 'log_bodies.mode'],
	[{log_bodies: {mode: 'redacted', paths: ['params']}}, 'log_bodies.paths.0'],
	[{require_auth: 'yes'}, 'require_auth'],
	[{target: 'https://example.com'}, 'target'],
];

test('[MCP-032 MCP-033 MCP-079] settings that are not valid are refused by field, at create and at update', async (t) => {
	const world = await startWorld();
	for (const [settings, field] of badSettings) {
		const request = settings as ServerSettings;
		t.is(await refusalOf(create(world, request)), `validation_error ${field}`);
		t.is(
			await refusalOf(world.core.mcp.servers.update(world.caller, world.server.id, request)),
			`validation_error ${field}`,
		);
	}
	t.is((await world.core.mcp.servers.list(world.caller)).length, 1);
});

test('[APR-005] a rule is a pattern and an action, nothing else', async (t) => {
	const world = await startWorld();
	for (const rule of [
		{pattern: 'a'},
		{action: 'allow'},
		{pattern: 'a', action: 'deny'},
		{pattern: 'a', action: 'allow', b: 1},
	]) {
		const approval_config = {rules: [rule]} as unknown as NonNullable<ServerSettings['approval_config']>;
		t.regex(await refusalOf(create(world, {approval_config})), /^validation_error approval_config\.rules\.0/);
	}
});

test('[MCP-007 MCP-008] name and target_url are required', async (t) => {
	const world = await startWorld();
	const request = {} as typeof wanted;
	t.is(await refusalOf(world.core.mcp.servers.create(world.caller, request)), 'validation_error name target_url');
});

test('targets that are templates in path and query, or as a whole, are taken', async (t) => {
	const world = await startWorld();
	for (const target_url of ['{{env.URL}}', 'https://x.example/{{ env.PATH }}?a={{env.A}}', 'http://127.0.0.1:9/mcp']) {
		t.is((await create(world, {target_url})).target_url, target_url);
	}
});

test('[MCP-010] the plan limits the servers of a user, also under parallel calls', async (t) => {
	const plans = defaultSettings.plans.map((plan) => ({...plan, mcp_servers: 4}));
	const world = await startWorld({}, {settings: {plans}});
	const answers = await Promise.all(Array.from({length: 10}, () => refusalOf(create(world))));
	t.is(answers.filter((answer) => answer === 'resolved').length, 3);
	t.is(answers.filter((answer) => answer === 'plan_limit_reached').length, 7);
});

test('[MCP-023] upstream headers are sealed in the store and masked in answers', async (t) => {
	const world = await startWorld();
	const server = await create(world, {upstream_headers: {Authorization: 'Bearer s3cret'}});
	t.deepEqual(server.upstream_headers, {Authorization: mask});
	t.deepEqual((await world.core.mcp.servers.list(world.caller)).at(-1), server);
	const record = await recordOf(world, server.slug);
	t.false(JSON.stringify(record.upstream_header_names).includes('s3cret'));
	t.is(typeof record.upstream_headers?.kid, 'string');
	t.false('version' in server);
	t.like(await world.core.mcp.servers.target(record), {ok: true, headers: {Authorization: 'Bearer s3cret'}});
});

test('a target says which of its variables do not open, and does not blame their scope', async (t) => {
	const world = await startWorld();
	const {user_id, team_id} = world.caller;
	const value = {kid: 'lost', data: 'sealed by a key that is gone'};
	await world.ports.variables.create(buildVariable({user_id, team_id, key: 'TOKEN', scope: 'all', value}));
	const {slug} = await create(world, {upstream_headers: {Authorization: '{{env.TOKEN}}'}});
	t.deepEqual(await world.core.mcp.servers.target(await recordOf(world, slug)), {
		ok: false,
		message: 'The variable TOKEN does not open with the master keys that are set.',
	});
});

test('a mask that is sent back keeps the header it stands for', async (t) => {
	const world = await startWorld();
	const {id, slug} = await create(world, {upstream_headers: {Authorization: 'one', 'x-b': 'two'}});
	await world.core.mcp.servers.update(world.caller, id, {upstream_headers: {authorization: mask, 'x-c': 'three'}});
	const target = await world.core.mcp.servers.target(await recordOf(world, slug));
	t.like(target, {ok: true, headers: {authorization: 'one', 'x-c': 'three'}});
	await world.core.mcp.servers.update(world.caller, id, {upstream_headers: {}});
	t.is((await recordOf(world, slug)).upstream_headers, null);
});

test('[MCP-089] another origin clears the upstream headers, unless the request sends them', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const cases = [
		{target_url: 'https://mcp.example.com/other', left: 'one'},
		{target_url: 'https://MCP.example.com:443/mcp', left: 'one'},
		{target_url: 'https://evil.example.com/mcp', left: undefined},
		{target_url: 'http://mcp.example.com/mcp', left: undefined},
		{target_url: 'https://mcp.example.com:8443/mcp', left: undefined},
		{target_url: '{{env.URL}}', left: undefined},
	];
	for (const {target_url, left} of cases) {
		const server = await create(world, {upstream_headers: {authorization: 'one'}});
		const moved = await servers.update(world.caller, server.id, {target_url});
		t.is(moved.upstream_headers.authorization, left && mask, target_url);
	}
	const {id, slug} = await create(world, {upstream_headers: {authorization: 'one'}});
	const elsewhere = 'https://evil.example.com';
	const stolen = servers.update(world.caller, id, {target_url: elsewhere, upstream_headers: {authorization: mask}});
	t.is(await refusalOf(stolen), 'validation_error upstream_headers.authorization');
	await servers.update(world.caller, id, {target_url: elsewhere, upstream_headers: {authorization: 'two'}});
	t.like(await servers.target(await recordOf(world, slug)), {ok: true, headers: {authorization: 'two'}});
});

test('a target resolves its templates at the moment of use, and a failure names the key and the scope', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const put = async (key: string, value: string, scope: 'all' | 'webhook') => {
		await world.core.environment.variables.create(world.caller, {key, value, scope});
	};
	const {slug} = await create(world, {
		target_url: 'https://x.example/{{env.PATH_PART}}',
		upstream_headers: {authorization: 'Bearer {{env.TOKEN}}'},
	});
	const missing = await servers.target(await recordOf(world, slug));
	t.false(missing.ok);
	t.regex(missing.ok ? '' : missing.message, /PATH_PART.*mcp.*TOKEN/);
	await put('PATH_PART', 'a/b', 'all');
	await put('TOKEN', 's3cret', 'webhook');
	const outOfScope = await servers.target(await recordOf(world, slug));
	t.regex(outOfScope.ok ? '' : outOfScope.message, /TOKEN exists.*mcp/);
	t.false(JSON.stringify(outOfScope).includes('s3cret'));
	const [variable] = (await world.core.environment.variables.list(world.caller)).filter(({key}) => key === 'TOKEN');
	await world.core.environment.variables.update(world.caller, variable?.id ?? '', {scope: 'mcp'});
	const target = await servers.target(await recordOf(world, slug));
	t.is(target.ok && target.url.href, 'https://x.example/a/b');
	t.like(target, {headers: {authorization: 'Bearer s3cret'}});
	await world.core.environment.variables.update(world.caller, variable?.id ?? '', {value: 'two\nlines'});
	const broken = await servers.target(await recordOf(world, slug));
	t.regex(broken.ok ? '' : broken.message, /authorization/);
	t.false(JSON.stringify(broken).includes('lines'));
});

test('a whole template as target is judged when it resolves', async (t) => {
	const world = await startWorld();
	const {slug} = await create(world, {target_url: '{{env.URL}}'});
	const {id} = await world.core.environment.variables.create(world.caller, {key: 'URL', value: 'ftp://x'});
	const refused = await world.core.mcp.servers.target(await recordOf(world, slug));
	t.deepEqual(refused, {ok: false, message: 'The target does not resolve to an http or https URL.'});
	await world.core.environment.variables.update(world.caller, id, {value: 'https://x.example/mcp'});
	const target = await world.core.mcp.servers.target(await recordOf(world, slug));
	t.is(target.ok && target.url.href, 'https://x.example/mcp');
});

test('headers that were moved to another row do not open, and the failure is typed', async (t) => {
	const world = await startWorld();
	const {slug} = await create(world, {upstream_headers: {authorization: 'one'}});
	const moved = {...(await recordOf(world, slug)), id: 'another'};
	t.like(await world.core.mcp.servers.target(moved), {ok: false});
});

test('without scope approvals a key changes no approval, limit or auth setting', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const key = withKey(world.caller, 'api', 'proxy');
	const {id, ...server} = await create(world, {approval_config: {enabled: true}, require_auth: true});
	const guarded: readonly ServerSettings[] = [
		{approval_config: {enabled: false}},
		{approval_config: {rules: [{pattern: '*', action: 'allow'}]}},
		{rate_limit_config: {requests_per_minute: 1}},
		{default_cost_cents: 1},
		{require_auth: false},
		{allowed_methods: ['x']},
		{log_bodies: {mode: 'none', paths: []}},
	];
	for (const settings of guarded) {
		const [field] = Object.keys(settings);
		t.is(await refusalOf(servers.update(key, id, settings)), `forbidden ${field}`);
		t.is(await refusalOf(servers.update(withKey(world.caller, 'api', 'approvals'), id, settings)), 'resolved');
	}
	await servers.update(world.caller, id, {approval_config: server.approval_config, require_auth: true});
	t.is(
		await refusalOf(servers.create(key, {...wanted, approval_config: {enabled: true}})),
		'forbidden approval_config',
	);
	const renamed = servers.update(key, id, {name: 'New', approval_config: server.approval_config, require_auth: true});
	t.is((await renamed).name, 'New', 'what is sent back as it was is no change');
	t.is((await servers.create(key, wanted)).name, wanted.name);
});

test('a server of another team does not exist', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const other = await addCaller(world.ports);
	const {id} = world.server;
	t.is(await refusalOf(servers.get(other, id)), 'resource_not_found');
	t.is(await refusalOf(servers.update(other, id, {name: 'x'})), 'resource_not_found');
	t.is(await refusalOf(servers.delete(other, id)), 'resource_not_found');
	t.is(await refusalOf(servers.rotateSlug(other, id)), 'resource_not_found');
	t.is(await refusalOf(servers.costs(other, id, {})), 'resource_not_found');
	t.deepEqual(await servers.list(other), []);
});

test('parallel updates of different fields all take effect', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	await Promise.all([
		servers.update(world.caller, world.server.id, {name: 'New'}),
		servers.update(world.caller, world.server.id, {is_active: false}),
		servers.update(world.caller, world.server.id, {default_cost_cents: 3}),
	]);
	t.like(await servers.get(world.caller, world.server.id), {name: 'New', is_active: false, default_cost_cents: 3});
});

test('[MCP-090] a rotated slug is valid at once, the old one leads nowhere', async (t) => {
	const world = await startWorld();
	const {id, slug} = await create(world);
	const rotated = await world.core.mcp.servers.rotateSlug(world.caller, id);
	t.not(rotated.slug, slug);
	t.is(await world.core.mcp.servers.bySlug(slug), undefined);
	t.is((await recordOf(world, rotated.slug)).id, id);
});

test('[MCP-085] costs answer the month, the budget and the share of it', async (t) => {
	const world = await startWorld({rate_limit_config: {cost: {budget_cents: 300, alert_threshold_percent: 80}}});
	const {id} = world.server;
	const {costs} = world.core.mcp.servers;
	for (const [tool_name, month, cents] of [
		['a', '2026-01', 10],
		['b', '2026-01', 20],
		['b', '2026-01', 20],
		['c', '2025-12', 7],
	] as const) {
		await world.ports.spend.reserve({mcp_server_id: id, month, tool_name, cents}, null);
	}
	t.deepEqual(await costs(world.caller, id, {}), {
		total_cents: 50,
		budget_cents: 300,
		usage_percent: 16.67,
		tool_breakdown: [
			{tool_name: 'b', total_cents: 40, call_count: 2},
			{tool_name: 'a', total_cents: 10, call_count: 1},
		],
	});
	t.is((await costs(world.caller, id, {year: 2025, month: 12})).total_cents, 7);
	t.is((await costs(world.caller, id, {month: 2})).total_cents, 0);
	for (const month of [0, 13, 1.5]) t.is(await refusalOf(costs(world.caller, id, {month})), 'validation_error month');
	t.is(await refusalOf(costs(world.caller, id, {year: 99_999})), 'validation_error year');
});

test('changes of a server are kept in the audit by field, and no header value with them', async (t) => {
	const world = await startWorld();
	const {servers} = world.core.mcp;
	const {id} = await create(world);
	await servers.update(world.caller, id, {
		name: 'New',
		require_auth: true,
		upstream_headers: {authorization: 's3cret'},
	});
	await servers.rotateSlug(world.caller, id);
	await servers.delete(world.caller, id);
	const {data} = await world.core.live.audit.list(world.caller, page);
	t.deepEqual(data.map((entry) => [entry.action, entry.target_id, entry.data]).toReversed(), [
		['mcp_server.created', id, wanted],
		['mcp_server.updated', id, {name: 'New', require_auth: true, upstream_headers: ['authorization']}],
		['mcp_server.slug_rotated', id, {}],
		['mcp_server.deleted', id, {name: 'New'}],
	]);
});
