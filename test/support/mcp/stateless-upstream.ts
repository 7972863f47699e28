import type {ServerResponse} from 'node:http';
import type {Body} from '../api.ts';
import {type Script, startScriptedUpstream} from './scripted-upstream.ts';

export type StatelessUpstream = Readonly<{
	url: string;
	/** The `params` of each `tools/call` that arrived, and the very bytes of its body. */
	called: readonly Readonly<{params: Body; body: string}>[];
	/** How often a tool did what it is for. */
	executions(): number;
	close(): Promise<void>;
}>;

export type StatelessOptions = Readonly<{
	/** Answers tool calls as events. Default: as JSON. */
	events?: boolean;
	/** The states that it gives, one for each round that it asks for; undefined: it asks without giving one. */
	rounds?: readonly (string | undefined)[];
}>;

const field = (name: string): string => `io.modelcontextprotocol/${name}`;

const inputRequests = {
	reason: {
		method: 'elicitation/create',
		params: {
			mode: 'form',
			message: 'Why?',
			requestedSchema: {type: 'object', properties: {reason: {type: 'string'}}, required: ['reason']},
		},
	},
};

const discovered = {
	supportedVersions: ['2026-07-28'],
	capabilities: {tools: {}},
	ttlMs: 0,
	cacheScope: 'private',
	_meta: {[field('serverInfo')]: {name: 'stateless', version: '1.0.0'}},
};

const listed = {
	tools: [{name: 'delete_item', inputSchema: {type: 'object'}}],
	ttlMs: 0,
	cacheScope: 'private',
};

const sendJson = (response: ServerResponse, message: object): void => {
	const text = JSON.stringify(message);
	response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)}).end(text);
};

const sendEvents = (response: ServerResponse, message: object): void => {
	const note = {jsonrpc: '2.0', method: 'notifications/message', params: {level: 'info', data: 'input_required?'}};
	const events = [note, message].map((each) => `event: message\ndata: ${JSON.stringify(each)}\n\n`);
	response.writeHead(200, {'content-type': 'text/event-stream'}).end(`: hello\n\n${events.join('')}`);
};

/** A server of revision 2026-07-28 with the tool `delete_item`, which may ask for input before it runs. */
export const startStatelessUpstream = async ({
	events = false,
	rounds = [],
}: StatelessOptions = {}): Promise<StatelessUpstream> => {
	const called: {params: Body; body: string}[] = [];
	let executions = 0;
	const callTool = ({params}: Body): object => {
		const round = params.inputResponses === undefined ? 0 : rounds.indexOf(params.requestState) + 1;
		if (round < rounds.length) {
			const requestState = rounds[round];
			return {resultType: 'input_required', inputRequests, ...(requestState !== undefined && {requestState})};
		}
		executions += 1;
		const said = params.inputResponses?.reason?.content?.reason ?? 'unasked';
		return {resultType: 'complete', content: [{type: 'text', text: `deleted: ${said}`}]};
	};
	const script: Script = ({body}, response) => {
		const message: Body = JSON.parse(body);
		const {id, method} = message;
		const common = {jsonrpc: '2.0', id};
		if (method !== 'tools/call') {
			const result = method === 'server/discover' ? discovered : listed;
			return sendJson(response, {...common, result: {resultType: 'complete', ...result}});
		}
		called.push({params: message.params, body});
		const send = events ? sendEvents : sendJson;
		send(response, {...common, result: callTool(message)});
	};
	const upstream = await startScriptedUpstream(script);
	return {url: upstream.url, called, executions: () => executions, close: upstream.close};
};
