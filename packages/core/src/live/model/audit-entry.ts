import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';

export const auditActionSchema = z.enum([
	'mcp_server.created',
	'mcp_server.updated',
	'mcp_server.deleted',
	'mcp_server.slug_rotated',
	'mcp_call.deleted',
	'webhook_endpoint.created',
	'webhook_endpoint.updated',
	'webhook_endpoint.deleted',
	'webhook_endpoint.secret_rotated',
	'notices.secret_rotated',
	'notification_channel.created',
	'notification_channel.updated',
	'notification_channel.deleted',
	'notification_channel.tested',
	'webhook_middleware.created',
	'webhook_middleware.updated',
	'webhook_middleware.deleted',
	'webhook_middleware.reordered',
	'routing_rule.created',
	'routing_rule.updated',
	'routing_rule.deleted',
	'cron_job.created',
	'cron_job.updated',
	'cron_job.deleted',
	'cron_job.run',
	'cron_chain.created',
	'cron_chain.updated',
	'cron_chain.deleted',
	'cron_chain.run',
	'chain_execution.canceled',
	'cron_execution.canceled',
	'cron_execution.retried',
	'agent.updated',
	'agent.deleted',
	'approval.approved',
	'approval.rejected',
	'api_key.created',
	'api_key.deleted',
	'team.created',
	'team.updated',
	'team.deleted',
	'team.member_added',
	'team.member_removed',
	'team.invite_created',
	'environment.created',
	'environment.updated',
	'environment.deleted',
	'user.password_changed',
]);
export type AuditAction = z.infer<typeof auditActionSchema>;

export const auditEntrySchema = z.object({
	id: recordId,
	team_id: recordId,
	user_id: recordId,
	/** The API key that acted, null for a signed-in session. */
	api_key_id: recordId.nullable(),
	action: auditActionSchema,
	target_id: z.string(),
	/** What changed, by field name. Never a secret. */
	data: z.record(z.string(), z.unknown()),
	created_at: instantText,
});
/** Who did what: append-only. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;
