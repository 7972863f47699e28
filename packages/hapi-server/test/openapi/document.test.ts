import {readFile} from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import {openapiDocument, openapiYaml, routes} from '@signalbox/hapi-server';
import {Ajv2020} from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';

// biome-ignore lint/suspicious/noExplicitAny: a document is walked here, not typed.
type Node = any;

const document: Node = JSON.parse(JSON.stringify(openapiDocument()));

const resolve = (node: Node): Node =>
	node?.$ref === undefined
		? node
		: node.$ref
				.slice(2)
				.split('/')
				.reduce((at: Node, name: string) => at[name], document);

const operations = (): [string, Node][] =>
	Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item as Node).map(
			([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as [string, Node],
		),
	);

/** What the specification names: everything else is an extension. */
const specified = [
	'POST /v1/auth/register',
	'POST /v1/auth/login',
	'POST /v1/auth/refresh',
	'GET /v1/auth/me',
	'POST /v1/auth/change-password',
	'POST /v1/environment',
	'GET /v1/environment',
	'GET /v1/environment/{id}',
	'PUT /v1/environment/{id}',
	'DELETE /v1/environment/{id}',
	'POST /v1/mcp/servers',
	'GET /v1/mcp/servers',
	'GET /v1/mcp/servers/{id}',
	'PUT /v1/mcp/servers/{id}',
	'DELETE /v1/mcp/servers/{id}',
	'GET /v1/mcp/calls',
	'GET /v1/mcp/calls/{id}',
	'GET /v1/mcp/calls/count',
	'GET /v1/mcp/calls/metrics',
	'DELETE /v1/mcp/calls/{id}',
	'GET /v1/mcp/approvals',
	'GET /v1/mcp/approvals/{id}',
	'POST /v1/mcp/approvals/{id}/approve',
	'POST /v1/mcp/approvals/{id}/reject',
	'POST /v1/webhook/endpoints/{endpoint_id}/middlewares',
	'GET /v1/webhook/endpoints/{endpoint_id}/middlewares',
	'PUT /v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}',
	'DELETE /v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}',
	'PUT /v1/webhook/endpoints/{endpoint_id}/middlewares/reorder',
	'POST /v1/webhook/endpoints/{endpoint_id}/middlewares/test',
	'POST /v1/webhook/endpoints/{endpoint_id}/routing-rules',
	'GET /v1/webhook/endpoints/{endpoint_id}/routing-rules',
	'PUT /v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}',
	'DELETE /v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}',
	'PUT /v1/webhook/endpoints/{endpoint_id}/routing-mode',
	'POST /v1/webhook/endpoints/{endpoint_id}/routing-rules/test',
	'POST /v1/cron-jobs',
	'GET /v1/cron-jobs',
	'GET /v1/cron-jobs/next',
	'GET /v1/cron-jobs/{id}',
	'PUT /v1/cron-jobs/{id}',
	'DELETE /v1/cron-jobs/{id}',
	'POST /v1/cron-jobs/{id}/enable',
	'POST /v1/cron-jobs/{id}/disable',
	'POST /v1/cron-jobs/{id}/run',
	'POST /v1/cron/chains',
	'GET /v1/cron/chains',
	'GET /v1/cron/chains/{id}',
	'PUT /v1/cron/chains/{id}',
	'DELETE /v1/cron/chains/{id}',
	'POST /v1/cron/chains/{id}/run',
	'GET /v1/cron/chains/{id}/executions',
	'GET /v1/cron/chain-executions/{id}',
	'POST /v1/cron/chain-executions/{id}/cancel',
];

const propertiesOf = (name: string): Record<string, Node> => document.components.schemas[name].properties;
const extensionsOf = (name: string): string[] =>
	Object.entries(propertiesOf(name)).flatMap(([field, schema]) => (schema['x-extension'] ? [field] : []));

test('the document is valid OpenAPI 3.1', async (t) => {
	await t.notThrowsAsync(SwaggerParser.validate(structuredClone(document)));
});

test('openapi.yaml is what the route table says', async (t) => {
	const written = await readFile(new URL('../../../../openapi.yaml', import.meta.url), 'utf8');
	t.true(written === openapiYaml(), 'run npm run openapi');
});

test('every operation of the specification is there', (t) => {
	const described = operations().map(([name]) => name);
	t.deepEqual(
		specified.filter((name) => !described.includes(name)),
		[],
	);
	t.is(described.length, routes.length);
});

test('[HTTP-061] what the specification does not name is marked: operations, fields and parameters', (t) => {
	for (const [name, operation] of operations())
		t.is(operation['x-extension'] ?? false, !specified.includes(name), name);
	t.deepEqual(extensionsOf('McpServer'), [
		'upstream_headers',
		'forward_headers',
		'allowed_methods',
		'require_auth',
		'log_bodies',
	]);
	t.deepEqual(extensionsOf('Approval'), ['arguments_json', 'created_at', 'caller_waiting']);
	t.deepEqual(extensionsOf('McpCall'), ['approval_id', 'cost_cents']);
	t.deepEqual(extensionsOf('EnvironmentVariable'), ['created_at', 'updated_at']);
	t.deepEqual(extensionsOf('Login'), ['session']);
	t.deepEqual(extensionsOf('CreateEnvironmentVariable'), ['team_id']);
	t.deepEqual(extensionsOf('CreateRoutingRule'), ['sort_order']);
	t.deepEqual(extensionsOf('CronJob'), ['timezone', 'concurrency', 'created_at', 'updated_at']);
	t.deepEqual(extensionsOf('CreateCronJob'), ['timezone', 'concurrency', 'is_enabled']);
	t.deepEqual(extensionsOf('CronChain'), ['timezone', 'next_run_at', 'created_at', 'updated_at']);
	t.deepEqual(extensionsOf('CreateCronChain'), ['timezone', 'is_enabled']);
	for (const parameter of Object.values<Node>(document.components.parameters)) t.true(parameter['x-extension']);
});

test('operation ids are dotted and unique, so that the client nests by them', (t) => {
	const ids = operations().map(([, operation]) => operation.operationId);
	t.is(new Set(ids).size, ids.length);
	for (const id of ids) t.regex(id, /^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/);
	for (const id of ['auth.register', 'environment.list', 'mcp.servers.create', 'mcp.approvals.approve']) {
		t.true(ids.includes(id));
	}
});

test('every operation lists its errors, and every one of them is the one envelope', (t) => {
	for (const [name, {responses, security}] of operations()) {
		for (const status of ['400', '429', '500', '503']) t.truthy(responses[status], `${name} ${status}`);
		if (security.length > 0)
			for (const status of ['401', '403', '404']) t.truthy(responses[status], `${name} ${status}`);
	}
	for (const [name, response] of Object.entries<Node>(document.components.responses)) {
		const {properties, required} = response.content['application/json'].schema.properties.error;
		t.deepEqual(Object.keys(properties), ['code', 'message', 'details', 'request_id'], name);
		t.deepEqual(required, ['code', 'message', 'request_id'], name);
		t.is(name, [name.split('-')[0], ...properties.code.enum].join('-'));
	}
});

test('no answer describes a secret: neither value nor password nor headers in clear', (t) => {
	t.false('value' in propertiesOf('EnvironmentVariable'));
	for (const name of Object.keys(propertiesOf('User'))) t.notRegex(name, /password|hash/);
	t.false('key' in propertiesOf('ApiKey'));
});

/** What a body shows of itself. */
const contentOf = ({content}: Node): Node => content['application/json'] ?? content['text/event-stream'];

const examplesOf = (body: Node): Node[] => {
	const {schema, examples = {}} = contentOf(body);
	return [...(resolve(schema).examples ?? []), ...Object.values<Node>(examples).map(({value}) => value)];
};

test('every body that is taken or answered shows an example, which fits its schema', (t) => {
	const ajv = new Ajv2020({strict: false});
	addFormats.default(ajv);
	ajv.addSchema({$id: 'document', ...document});
	let shown = 0;
	for (const [name, {requestBody, responses}] of operations()) {
		for (const body of [requestBody, ...Object.values(responses)].map(resolve).filter((each) => each?.content)) {
			const schema = JSON.parse(JSON.stringify(contentOf(body).schema).replaceAll('"#/', '"document#/'));
			const examples = examplesOf(body);
			t.true(examples.length > 0, `${name}: ${JSON.stringify(schema)}`);
			for (const example of examples) t.true(ajv.validate(schema, example), `${name}: ${ajv.errorsText()}`);
			shown += examples.length;
		}
	}
	t.log(`${shown} examples`);
});
