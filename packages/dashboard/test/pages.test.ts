import {createApi} from '../../../test/support/api.ts';
import {startJsonRpcUpstream, toolCall} from '../../../test/support/json-rpc-upstream.ts';
import {browserTest, expectFit, type Walk} from './support/browser.ts';
import {holdPages, settle} from './support/hold-page.ts';

const risky = {
	sql: "DELETE FROM orders\nWHERE created_at < '2024-01-01'\n  AND status = 'draft';",
	dry_run: false,
	limit: 12000,
};

/** Something of each kind, so that no page is empty. */
const fill = async ({t, server, person: {api}}: Walk) => {
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const anonymous = createApi(server.baseUrl);
	const approval_config = {enabled: true, trust_level: 'moderate', rules: [{pattern: 'merge_*', action: 'require'}]};
	const rate_limit_config = {cost: {budget_cents: 100}};
	const settings = {
		name: 'Tickets',
		target_url: upstream.url,
		approval_config,
		rate_limit_config,
		default_cost_cents: 2,
	};
	const mcp = (await api.post('/v1/mcp/servers', settings)).body;
	const call = (tool: string, args: object = {id: 7}) =>
		anonymous.post(`/p/${mcp.slug}`, toolCall(tool, args), {accept: 'application/json'});
	for (const tool of ['get_item', 'list_items', 'get_item']) await call(tool);
	const held = Promise.allSettled([call('delete_rows', risky), call('merge_branch', {branch: 'hotfix', into: 'main'})]);
	t.teardown(async () => void (await held));
	await api.post('/v1/environment', {key: 'TOKEN', value: 'secret', description: 'for the tickets'});
	await api.post('/v1/api-keys', {name: 'laptop', scopes: ['proxy']});
	const channel = {type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x', is_active: false};
	await api.post('/v1/notification-channels', channel);
	const callId = (await api.get('/v1/mcp/calls')).body.data[0].id;
	for (;;) {
		const {data} = (await api.get('/v1/mcp/approvals')).body;
		const end = () => Promise.all(data.map(({id}: {id: string}) => api.post(`/v1/mcp/approvals/${id}/reject`, {})));
		if (data.length === 2) return {end, paths: pathsOf(mcp.id, callId, data[0].id)};
	}
};

const pathsOf = (server: string, call: string, approval: string): readonly string[] => [
	'/approvals',
	`/approvals/${approval}`,
	'/approvals?status=approved',
	'/mcp',
	'/mcp/new',
	`/mcp/servers/${server}`,
	`/mcp/servers/${server}/edit`,
	'/mcp/calls',
	`/mcp/calls/${call}`,
	'/mcp/metrics',
	'/settings',
	'/settings/api-keys',
	'/settings/agents',
	'/settings/team',
	'/settings/notifications',
	'/settings/channels',
	'/settings/account',
];

const windows = [
	{width: 1280, colorScheme: 'light', screenshots: {'/approvals': 'approvals-desk'}},
	{width: 380, colorScheme: 'dark'},
] as const;

browserTest('every page can be used by everybody, fits, and nothing on it moves', async (walk) => {
	const {end, paths} = await fill(walk);
	await holdPages(walk, windows, paths);
	for (const {width, colorScheme} of windows) {
		const page = await walk.open({width, colorScheme});
		await page.goto('/sign-in');
		await settle(page);
		await expectFit(walk.t, page, 'sign in');
	}
	await end();
});
