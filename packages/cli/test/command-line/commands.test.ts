import test from 'ava';
import {openTerminal} from '../terminal.ts';
import {open, variable} from './scripted-api.ts';

const call = {id: 'c1', tool_name: 'send', method: 'tools/call', duration_ms: 12, error_message: ''};

test('a list is a table for people', async (t) => {
	const {run, told} = await open(t, {'GET /v1/environment': {data: [variable]}});
	const {code, stdout, stderr} = await run('env', 'list');
	t.is(
		stdout,
		'KEY    OWNER  SCOPE  SECRET  UPDATED                   DESCRIPTION\nTOKEN  you    all    yes     2026-01-02T00:00:00.000Z\n',
	);
	t.deepEqual([code, stderr, told[0]?.key], [0, '', 'sbx_anne0000_secret']);
});

test('a list is JSON for programs, and nothing else', async (t) => {
	const {run} = await open(t, {'GET /v1/environment': {data: [variable]}}, {isTTY: true});
	const {stdout, stderr} = await run('env', 'list', '--json');
	t.deepEqual(JSON.parse(stdout), [variable]);
	t.is(stderr, '');
});

test('an empty list says so', async (t) => {
	const {run} = await open(t, {'GET /v1/environment': {data: []}});
	t.is((await run('env', 'list')).stdout, 'There are no environment variables.\n');
	t.is((await run('env', 'list', '--json')).stdout, '[]\n');
});

test('only a terminal that wants it gets color', async (t) => {
	const answers = {'GET /v1/mcp/calls': {data: [{...call, status: 'error'}]}};
	const green = (await (await open(t, answers, {isTTY: true})).run('mcp', 'calls')).stdout;
	t.true(green.includes('\u001b[31m'));
	for (const habits of [{isTTY: true, environment: {NO_COLOR: '1'}}, {isTTY: false}])
		t.false((await (await open(t, answers, habits)).run('mcp', 'calls')).stdout.includes('\u001b'));
});

test('what others named cannot steer the terminal', async (t) => {
	const event = {id: 'e1', delivery_status: 'failed', status_code: 500, retry_count: 0, method: 'POST'};
	const path = '/\u001b]0;evil\u0007\u202e\n';
	const {run} = await open(t, {'GET /v1/webhook/events': {data: [{...event, path}]}});
	t.is((await run('webhook', 'events')).stdout.split('\n')[1], 'e1  failed  500   0        POST / ]0;evil');
	t.false((await run('webhook', 'retry', '\u001b]0;evil\u0007')).stderr.includes('\u001b'));
	t.false((await run('\u001b]0;evil\u0007')).stderr.includes('\u001b'));
});

test('options select, and names stand for ids', async (t) => {
	const {run, told} = await open(t, {
		'GET /v1/mcp/servers': {data: [{id: 's1', name: 'mail'}]},
		'GET /v1/mcp/calls': {data: []},
	});
	t.is((await run('mcp', 'calls', '--server', 'mail', '--status', 'error', '--limit', '5')).code, 0);
	t.is(told.at(-1)?.path, '/v1/mcp/calls?limit=5&server_id=s1&status=error');
});

test('a name that the server does not have was understood: it is said as the server says it of an id', async (t) => {
	const twins = ['b1', 'b2'].map((id) => ({id, name: 'twin'}));
	const page = {data: twins, total: 2, limit: 100, offset: 0};
	const lists = ['mcp/servers', 'webhook/endpoints', 'agents', 'cron-jobs', 'cron/chains', 'environment'];
	const {run} = await open(t, Object.fromEntries(lists.map((path) => [`GET /v1/${path}`, page])));
	for (const [kind, ...words] of [
		['MCP server', 'mcp', 'calls', '--server'],
		['endpoint', 'webhook', 'events', '--endpoint'],
		['agent', 'cron', 'create', 'nightly', 'true', '--schedule', 'every hour', '--agent'],
		['cron job', 'cron', 'run'],
		['chain', 'chains', 'run'],
		['environment variable', 'env', 'rm'],
	] as const) {
		const {code, stderr} = await run(...words, 'post');
		t.is(code, 1, kind);
		t.regex(stderr, new RegExp(`^There is no ${kind} post( of your own)? \\(resource_not_found\\)\n$`));
	}
	t.like(JSON.parse((await run('cron', 'rm', 'post', '--json')).stderr), {error: {code: 'resource_not_found'}});
	t.like(await run('cron', 'rm', 'twin'), {code: 1, stderr: '2 are named twin: name the cron job by its id\n'});
});

test('people decide about tool calls', async (t) => {
	const {run, told} = await open(t, {
		'POST /v1/mcp/approvals/a1/approve': {tool_name: 'send', status: 'approved'},
		'POST /v1/mcp/approvals/a1/reject': {tool_name: 'send', status: 'rejected'},
	});
	t.is((await run('mcp', 'approve', 'a1', '--note', 'looks right')).stdout, 'send: approved.\n');
	t.deepEqual(told.at(-1)?.body, {note: 'looks right'});
	t.is((await run('mcp', 'reject', 'a1')).stdout, 'send: rejected.\n');
});

test('webhooks are sent again one by one or by selection, and never all by mistake', async (t) => {
	const {run, told} = await open(t, {
		'POST /v1/webhook/events/e1/retry': {id: 'e1', delivery_status: 'pending'},
		'POST /v1/webhook/events/replay': {count: 3, skipped: 1},
		'GET /v1/webhook/endpoints': {data: [{id: 'w1', name: 'orders'}]},
	});
	t.is((await run('webhook', 'retry', 'e1')).stdout, 'e1: pending.\n');
	t.is((await run('webhook', 'replay', '--all', '--endpoint', 'orders')).stdout, '3 done, 1 passed over.\n');
	t.deepEqual(told.at(-1)?.body, {endpoint_id: 'w1'});
	for (const words of [['retry'], ['retry', 'e1', '--all']]) t.is((await run('webhook', ...words)).code, 2);
});

test('the signing secret of an endpoint is not shown', async (t) => {
	const endpoint = {
		id: 'w1',
		name: 'orders',
		slug: 's',
		is_active: true,
		destination_url: '',
		signing_secret: 'whsec_1',
	};
	const {run} = await open(t, {'GET /v1/webhook/endpoints': {data: [endpoint]}});
	for (const words of [[], ['--json']])
		t.false((await run('webhook', 'endpoints', ...words)).stdout.includes('whsec_1'));
});

test("an error names the server's code, the request and the fields", async (t) => {
	const details = [{path: 'key', message: 'is no name'}];
	const error = {code: 'validation_error', message: 'The request is not valid.', details, request_id: 'req-1'};
	const {run} = await open(t, {'GET /v1/environment': () => [400, {error}]});
	const {code, stdout, stderr} = await run('env', 'list');
	t.deepEqual([code, stdout], [1, '']);
	t.is(stderr, 'The request is not valid. (validation_error, request req-1)\n  key: is no name\n');
	t.deepEqual(JSON.parse((await run('env', 'list', '--json')).stderr), {error});
});

test('a message that names the only field at fault is not said twice', async (t) => {
	const details = [{path: 'key', message: 'is no name'}];
	const error = {code: 'validation_error', message: 'key: is no name', details, request_id: 'req-1'};
	const {run} = await open(t, {'GET /v1/environment': () => [400, {error}]});
	t.is((await run('env', 'list')).stderr, 'key: is no name (validation_error, request req-1)\n');
});

test('exit codes tell a refused key from a server that is not there', async (t) => {
	const error = {code: 'authentication_required', message: 'Send an API key.', request_id: 'req-1'};
	const {run} = await open(t, {'GET /v1/mcp/servers': () => [401, {error}]});
	t.is((await run('mcp', 'servers')).code, 3);
	const gone = await open(t, {}, {environment: {SIGNALBOX_URL: 'http://127.0.0.1:2'}});
	const unreachable = await gone.run('mcp', 'servers');
	t.is(unreachable.code, 4);
	t.regex(unreachable.stderr, /The API cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:2 /);
	const {code, stderr} = await run('whoami', '--grpc-url', 'http://127.0.0.1:1');
	t.is(code, 4);
	const refused = 'connect ECONNREFUSED 127.0.0.1:1';
	const where = 'at http://127.0.0.1:1 (--grpc-url says where else)';
	t.is(stderr, `No connection to the server: ${refused}, ${where} (unavailable)\n`);
});

test('an API key does not travel in the clear', async (t) => {
	const {run} = await openTerminal(t, {environment: {SIGNALBOX_API_KEY: 'k'}});
	for (const words of [['env', 'list'], ['whoami']]) {
		const {code, stderr} = await run(...words, '--url', 'http://signalbox.test');
		t.not(code, 0);
		t.regex(stderr, /in the clear/);
	}
});
