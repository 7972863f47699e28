import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import {defaultApprovalConfig} from '../../mcp/model/approval-config.ts';
import type {McpCallEntry} from '../../mcp/model/call.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import type {NewApproval} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import {buildId, builtAt, nextNumber} from './identity.ts';

export const buildServer = (
	fields: Pick<McpServerRecord, 'user_id' | 'team_id'> & Partial<McpServerRecord>,
): McpServerRecord => ({
	id: buildId(),
	slug: `slug-${nextNumber()}`,
	name: 'Tickets',
	target_url: 'https://mcp.example.com/mcp',
	is_active: true,
	default_cost_cents: 0,
	approval_config: defaultApprovalConfig,
	rate_limit_config: {},
	upstream_headers: null,
	upstream_header_names: [],
	forward_headers: [],
	allowed_methods: [],
	require_auth: false,
	log_bodies: {mode: 'full', paths: []},
	created_at: builtAt,
	updated_at: builtAt,
	version: 1,
	...fields,
});

/** Of the server and its team, by the server's creator. */
type OfServer = Readonly<{server: Pick<McpServerRecord, 'id' | 'team_id' | 'user_id'>}>;

export const buildCallEntry = ({server, ...fields}: OfServer & Partial<McpCallEntry>): McpCallEntry => ({
	id: buildId(),
	mcp_server_id: server.id,
	team_id: server.team_id,
	method: 'tools/call',
	tool_name: 'list_tickets',
	request_body: new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"tools/call"}'),
	response_body: new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{}}'),
	status: 'success',
	status_code: 200,
	error_message: '',
	duration_ms: 25,
	source_ip: '127.0.0.1',
	headers: {'content-type': 'application/json'},
	approval_id: null,
	cost_cents: 0,
	created_at: builtAt,
	...fields,
});

export const buildNewApproval = ({server, ...fields}: OfServer & Partial<NewApproval>): NewApproval => ({
	id: buildId(),
	mcp_server_id: server.id,
	team_id: server.team_id,
	user_id: server.user_id,
	api_key_id: null,
	caller_key: 'anonymous',
	tool_name: 'send_email',
	request_body: {to: 'ops@example.com'},
	arguments_json: null,
	arguments_digest: `arguments-digest-${nextNumber()}`,
	ttl_seconds: 300,
	attended_seconds: 15,
	...fields,
});

/** A pending approval, as the store answers it. */
export const buildApproval = ({server, ...fields}: OfServer & Partial<ApprovalRecord>): ApprovalRecord => {
	const {ttl_seconds, attended_seconds: _, ...request} = buildNewApproval({server});
	const created_at = fields.created_at ?? builtAt;
	return {
		...request,
		status: 'pending',
		decided_by: null,
		decision_note: null,
		decided_at: null,
		expires_at: plusSeconds(created_at, ttl_seconds),
		created_at,
		caller_waiting: true,
		detaches_at: null,
		consumed_at: null,
		runs: 0,
		...fields,
	};
};
