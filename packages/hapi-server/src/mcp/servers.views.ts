import {
	approvalConfigSchema,
	costReportSchema,
	logBodiesSchema,
	mcpServerSchema,
	rateLimitConfigSchema,
	toolRuleSchema,
} from '@signalbox/core';
import {z} from 'zod';
import {withExtensions} from '../http/fields.ts';

export const toolRuleView = toolRuleSchema.meta({
	id: 'ToolRule',
	examples: [{pattern: 'delete_*', action: 'require'}],
});

const approvalConfigView = approvalConfigSchema
	.extend({rules: z.array(toolRuleView).max(200)})
	.meta({id: 'ApprovalConfig'});

export const rateLimitConfigView = rateLimitConfigSchema.meta({id: 'RateLimitConfig'});

export const logBodiesView = logBodiesSchema.meta({id: 'LogBodies'});

const exampleServer = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a30',
	user_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
	team_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a02',
	slug: 'an-unguessable-slug',
	name: 'GitHub',
	target_url: 'https://mcp.example.com/mcp',
	is_active: true,
	default_cost_cents: 0,
	approval_config: {
		enabled: true,
		default_action: 'require',
		trust_level: 'moderate',
		ttl_seconds: 300,
		rules: [{pattern: 'get_*', action: 'allow'}],
	},
	rate_limit_config: {requests_per_minute: 60, burst: 10, cost: {budget_cents: 5000, alert_threshold_percent: 80}},
	upstream_headers: {Authorization: '••••'},
	forward_headers: [],
	allowed_methods: [],
	require_auth: false,
	log_bodies: {mode: 'full', paths: []},
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
};

export const serverView = withExtensions(
	mcpServerSchema.extend({
		approval_config: approvalConfigView,
		rate_limit_config: rateLimitConfigView,
		log_bodies: logBodiesView,
	}),
	'upstream_headers',
	'forward_headers',
	'allowed_methods',
	'require_auth',
	'log_bodies',
).meta({id: 'McpServer', examples: [exampleServer]});

export const costReportView = costReportSchema.meta({
	id: 'CostReport',
	examples: [
		{
			total_cents: 1200,
			budget_cents: 5000,
			usage_percent: 24,
			tool_breakdown: [{tool_name: 'create_issue', total_cents: 1200, call_count: 12}],
		},
	],
});
