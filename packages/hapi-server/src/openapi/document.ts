import {oas31} from 'openapi3-ts';
import {stringify} from 'yaml';
import type {Route} from '../http/define-route.ts';
import {routes} from '../routes.ts';
import {errorComponents, operationOf, tagOf} from './operation.ts';
import {namedSchemas} from './schema.ts';

const tagDescriptions: Readonly<Record<string, string>> = {
	auth: 'Accounts: registering, signing in, staying in, and out.',
	apiKeys: 'Long-lived keys for scripts, CI and agents.',
	teams: 'Who works together.',
	environment: 'Encrypted values that templates refer to.',
	mcp: 'MCP servers behind the proxy, their logged calls, and approvals of held tool calls.',
	webhook: 'Webhooks: where they come in, what they pass, where they go, and what became of each.',
	notifications: 'What people are told.',
	notificationChannels: 'Where people are told besides.',
	stream: 'What happens, as it happens.',
	audit: 'Who changed what.',
};

const integerHeader = (description: string): oas31.HeaderObject => ({description, schema: {type: 'integer'}});

const components: oas31.ComponentsObject = {
	securitySchemes: {
		bearer: {type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a session.'},
		apiKey: {type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A long-lived key.'},
	},
	parameters: {
		'X-Team-Id': {
			name: 'X-Team-Id',
			in: 'header',
			description: "The active team of this call; without it, the user's own active team.",
			schema: {type: 'string'},
			'x-extension': true,
		},
		'Last-Event-ID': {
			name: 'Last-Event-ID',
			in: 'header',
			description:
				'The id of the last event that was seen, to go on after it. The first event is `open`, or `reset` where events may be missing since: then lists are to be read anew.',
			schema: {type: 'string'},
			'x-extension': true,
		},
		'Idempotency-Key': {
			name: 'Idempotency-Key',
			in: 'header',
			description:
				'The same key and body within 24 hours answers the first result again; another body is a conflict, and so is a repetition while the first is still at work, with `Retry-After`.',
			schema: {type: 'string', minLength: 1, maxLength: 255},
			'x-extension': true,
		},
	},
	headers: {
		'X-Request-Id': {description: 'Names the request: quote it when you ask for help.', schema: {type: 'string'}},
		'X-RateLimit-Limit': integerHeader('Requests a minute.'),
		'X-RateLimit-Remaining': integerHeader('Requests that may be sent at once from now on.'),
		'X-RateLimit-Reset': integerHeader('When the whole allowance is back, in Unix seconds.'),
		'Retry-After': integerHeader('Seconds after which trying again makes sense.'),
	},
};

const frame = (baseUrl: string): oas31.OpenAPIObject => ({
	openapi: '3.1.1',
	info: {
		title: 'Signalbox',
		version: '1',
		description:
			'Tool calls, webhooks and schedules of agents: passed on, held for a person where they must be, and logged.',
		license: {name: 'MIT', identifier: 'MIT'},
	},
	servers: [{url: baseUrl}],
	paths: {},
	components: structuredClone(components),
});

const addOperation = (builder: oas31.OpenApiBuilder, route: Route): void => {
	const item = builder.rootDoc.paths?.[route.path] ?? {};
	builder.addPath(route.path, {...item, [route.method.toLowerCase()]: operationOf(route)});
};

/** The API description, OpenAPI 3.1, as the route table says it. @param baseUrl where the API is served. */
export const openapiDocument = (baseUrl = 'http://127.0.0.1:3000'): oas31.OpenAPIObject => {
	const builder = oas31.OpenApiBuilder.create(frame(baseUrl));
	for (const [id, schema] of namedSchemas()) builder.addSchema(id, schema);
	for (const [name, response] of Object.entries(errorComponents(routes))) builder.addResponse(name, response);
	for (const route of routes) addOperation(builder, route);
	for (const name of new Set(routes.map(tagOf))) {
		builder.addTag({name, description: tagDescriptions[name] ?? name});
	}
	return builder.getSpec();
};

/** The same as YAML. */
export const openapiYaml = (baseUrl?: string): string =>
	stringify(openapiDocument(baseUrl), {lineWidth: 0, aliasDuplicateObjects: false});
