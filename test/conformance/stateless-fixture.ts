import type {IncomingHttpHeaders, ServerResponse} from 'node:http';
import type {Body} from '../support/api.ts';
import {fixedAnswers, prompts, resources, text, toolOf} from './fixture-content.ts';
import {answerRound, interactiveTools} from './stateless-rounds.ts';

const revision = '2026-07-28';
const field = (name: string): string => `io.modelcontextprotocol/${name}`;

class RpcError extends Error {
	readonly status: number;
	readonly code: number;
	readonly data: object | undefined;
	constructor(problem: Readonly<{status: number; code: number; message: string; data?: object}>) {
		super(problem.message);
		this.status = problem.status;
		this.code = problem.code;
		this.data = problem.data;
	}
}

const invalidParams = (message: string, status = 200, data?: object) =>
	new RpcError({status, code: -32602, message, ...(data && {data})});

/** True for a request of the stateless era: it says so in its metadata or in its header. */
export const isStateless = (headers: IncomingHttpHeaders, message: Body): boolean =>
	headers['mcp-session-id'] === undefined &&
	(message?.params?._meta?.[field('protocolVersion')] !== undefined ||
		(headers['mcp-protocol-version'] ?? '2025') >= '2026');

const checkHeaders = (headers: IncomingHttpHeaders, {method, params}: Body): void => {
	const name = params.name ?? params.uri;
	const named = headers['mcp-name'];
	const agrees =
		headers['mcp-protocol-version'] === params._meta[field('protocolVersion')] &&
		headers['mcp-method'] === method &&
		(named === undefined ? !/^(tools\/call|prompts\/get|resources\/read)$/.test(method) : named === name);
	if (!agrees) throw new RpcError({status: 400, code: -32020, message: 'The headers differ from the body'});
};

const checkMetadata = ({params}: Body): void => {
	const version = params?._meta?.[field('protocolVersion')];
	if (typeof version !== 'string' || typeof params._meta[field('clientCapabilities')] !== 'object')
		throw invalidParams('The metadata is not complete', 400);
};

const checkVersion = ({params}: Body): void => {
	const requested = params._meta[field('protocolVersion')];
	const data = {supported: [revision], requested};
	if (requested !== revision)
		throw new RpcError({status: 400, code: -32022, message: 'This revision is not spoken here', data});
};

const rounds = (params: Body, finish: (said: string) => object): object | undefined => {
	const answer = answerRound({...params, capabilities: params._meta[field('clientCapabilities')]});
	if (answer === undefined) return undefined;
	if (answer === 'refused') throw invalidParams('The requestState or the inputResponses are not what they should be');
	if ('said' in answer) return finish(answer.said);
	return {resultType: 'input_required', inputRequests: answer.inputs, requestState: answer.requestState};
};

const needSampling = ({_meta}: Body): object => {
	const data = {requiredCapabilities: {sampling: {}}};
	if (_meta[field('clientCapabilities')].sampling === undefined)
		throw new RpcError({status: 400, code: -32021, message: 'This tool needs sampling', data});
	return {content: [text('Success')]};
};

const callTool = (params: Body): object => {
	const {name} = params;
	if (Object.hasOwn(fixedAnswers, name)) return {content: fixedAnswers[name as keyof typeof fixedAnswers]};
	if (name === 'test_missing_capability') return needSampling(params);
	if (name === 'test_error_handling')
		return {content: [text('This tool intentionally returns an error for testing')], isError: true};
	if (plainTools.includes(name)) return {content: [text(`${name} ran`)]};
	const result = rounds(params, (said) => ({content: [text(said)]}));
	if (result === undefined) throw invalidParams(`There is no tool ${name}`);
	return result;
};

const getPrompt = (params: Body): object => {
	const result = rounds(params, (said) => ({messages: [{role: 'user', content: text(said)}]}));
	if (result !== undefined) return result;
	if (!Object.hasOwn(prompts, params.name)) throw invalidParams(`There is no prompt ${params.name}`);
	return {messages: prompts[params.name as keyof typeof prompts].messages(params.arguments ?? {})};
};

const readResource = ({uri}: Body): object => {
	const found = resources.read(uri);
	if (found === undefined) throw invalidParams(`There is no resource ${uri}`, 200, {uri});
	return {contents: [found]};
};

const plainTools = ['test_tool_with_progress', 'test_streaming_elicitation', 'test_logging_tool'];
const toolNames = [
	...Object.keys(fixedAnswers),
	...plainTools,
	'test_error_handling',
	'test_missing_capability',
	...interactiveTools,
];
const promptList = Object.entries(prompts).map(([name, prompt]) => ({
	name,
	description: `Conformance fixture: ${name}`,
	arguments: prompt.arguments.map((argument) => ({name: argument, required: true})),
}));

const cacheable = (result: object) => ({...result, ttlMs: 300_000, cacheScope: 'public'});

const methods: Readonly<Record<string, (params: Body) => object>> = {
	'server/discover': () =>
		cacheable({
			supportedVersions: [revision],
			capabilities: {tools: {}, prompts: {}, resources: {}, completions: {}},
			_meta: {[field('serverInfo')]: {name: 'conformance-fixture', version: '1.0.0'}},
		}),
	'tools/list': () => cacheable({tools: toolNames.map(toolOf)}),
	'tools/call': callTool,
	'resources/list': () => cacheable({resources: resources.listed}),
	'resources/templates/list': () => cacheable({resourceTemplates: resources.templates}),
	'resources/read': (params) => cacheable(readResource(params)),
	'prompts/list': () => cacheable({prompts: promptList}),
	'prompts/get': getPrompt,
	'completion/complete': () => ({completion: {values: [], total: 0, hasMore: false}}),
};

const answer = (headers: IncomingHttpHeaders, message: Body): object => {
	checkMetadata(message);
	checkHeaders(headers, message);
	checkVersion(message);
	const method = Object.hasOwn(methods, message.method) ? methods[message.method] : undefined;
	if (method === undefined) throw new RpcError({status: 404, code: -32601, message: 'There is no such method'});
	return {resultType: 'complete', ...method(message.params)};
};

const send = (response: ServerResponse, status: number, body: object): void => {
	response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
};

const sendEvents = (response: ServerResponse, events: string): void => {
	response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'}).end(events);
};

const eventOf = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

const progressEvents = ({params}: Body): string => {
	const progressToken = params._meta.progressToken;
	if (params.name !== 'test_tool_with_progress' || progressToken === undefined) return '';
	const frames = [0, 50, 100].map((progress) => ({
		jsonrpc: '2.0',
		method: 'notifications/progress',
		params: {progressToken, progress, total: 100},
	}));
	return frames.map(eventOf).join('');
};

/** Answers one request of the stateless era: a tool in events, everything else in JSON. */
export const serveStateless = (headers: IncomingHttpHeaders, message: Body, response: ServerResponse): void => {
	const common = {jsonrpc: '2.0', id: message.id};
	try {
		const body = {...common, result: answer(headers, message)};
		if (message.method === 'tools/call') sendEvents(response, `${progressEvents(message)}${eventOf(body)}`);
		else send(response, 200, body);
	} catch (error) {
		if (!(error instanceof RpcError)) throw error;
		const {status, code, message: words, data} = error;
		send(response, status, {...common, error: {code, message: words, ...(data && {data})}});
	}
};
