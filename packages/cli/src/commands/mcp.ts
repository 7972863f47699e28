import {type Command, numberOf} from '../command-line/command.ts';
import {printable} from '../command-line/printable.ts';
import {tableOf} from '../command-line/table.ts';
import {connectApi} from '../login/connection.ts';
import {findNamed} from './named.ts';

const servers: Command = {
	name: 'mcp servers',
	summary: 'Lists MCP servers',
	run: async (context) => {
		const {data} = await (await connectApi(context)).mcp.servers.list();
		const text = tableOf(
			data,
			[
				{head: 'ID', of: ({id}) => id},
				{head: 'NAME', of: ({name}) => name},
				{head: 'SLUG', of: ({slug}) => slug},
				{head: 'ACTIVE', of: ({is_active}) => (is_active ? 'yes' : 'no')},
				{head: 'TARGET', of: ({target_url}) => target_url},
			],
			'There are no MCP servers.',
		);
		return {json: data, text};
	},
};

const callStatuses = ['success', 'error', 'timeout'] as const;

const calls: Command = {
	name: 'mcp calls',
	summary: 'Lists the latest tool calls',
	options: {
		server: {value: 'name', summary: 'of one server, by its name or id'},
		tool: {value: 'name', summary: 'of one tool'},
		status: {value: 'status', choices: callStatuses, summary: 'that ended so'},
		limit: {value: 'n', summary: 'as many, 1 to 100; 50 without it'},
	},
	run: async (context) => {
		const {text, output} = context;
		const limit = numberOf(context, 'limit', [1, 100]) ?? 50;
		const api = await connectApi(context);
		const [server, tool_name] = [text('server'), text('tool')];
		const server_id = server && findNamed((await api.mcp.servers.list()).data, server, 'MCP server').id;
		const status = callStatuses.find((each) => each === text('status'));
		const query = {limit, ...(server_id && {server_id}), ...(tool_name && {tool_name}), ...(status && {status})};
		const {data} = await api.mcp.calls.list({query});
		const table = tableOf(
			data,
			[
				{head: 'ID', of: ({id}) => id},
				{head: 'TOOL', of: ({tool_name: tool, method}) => tool || method},
				{
					head: 'STATUS',
					of: (call) => call.status,
					style: (cell, call) => output.style(call.status === 'success' ? 'green' : 'red', cell),
				},
				{head: 'MS', of: ({duration_ms}) => String(duration_ms)},
				{head: 'ERROR', of: ({error_message}) => error_message},
			],
			'There are no such calls.',
		);
		return {json: data, text: table};
	},
};

const approvalStatuses = ['pending', 'approved', 'rejected', 'expired'] as const;

const approvals: Command = {
	name: 'mcp approvals',
	summary: 'Lists tool calls that wait for a decision',
	details: '  signalbox mcp approvals\n  signalbox mcp approve <id> --note "checked with Ada"',
	options: {status: {value: 'status', choices: approvalStatuses, summary: 'those in another state'}},
	run: async (context) => {
		const status = approvalStatuses.find((each) => each === context.text('status')) ?? 'pending';
		const {data} = await (await connectApi(context)).mcp.approvals.list({query: {status}});
		const text = tableOf(
			data,
			[
				{head: 'ID', of: ({id}) => id},
				{head: 'TOOL', of: ({tool_name}) => tool_name},
				{head: 'STATUS', of: (approval) => approval.status},
				{head: 'EXPIRES', of: ({expires_at}) => expires_at},
				{head: 'REQUEST', of: ({request_body, arguments_json}) => arguments_json ?? JSON.stringify(request_body)},
			],
			status === 'pending' ? 'Nothing waits for a decision.' : 'There are no such approvals.',
		);
		return {json: data, text};
	},
};

const decide = (verb: 'approve' | 'reject', summary: string): Command => ({
	name: `mcp ${verb}`,
	summary,
	args: [{name: 'id'}],
	options: {note: {value: 'text', summary: 'why, for the record'}},
	run: async (context) => {
		const note = context.text('note');
		const api = await connectApi(context);
		const path = {id: context.argument('id')};
		const decided = await api.mcp.approvals[verb]({path, body: note === undefined ? {} : {note}});
		return {json: decided, text: `${printable(decided.tool_name)}: ${decided.status}.\n`};
	},
});

export const mcpCommands: readonly Command[] = [
	servers,
	calls,
	approvals,
	decide('approve', 'Lets a waiting tool call run'),
	decide('reject', 'Refuses a waiting tool call'),
];
