import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import type {ApprovalConfig} from './model/approval-config.ts';
import type {CostReport} from './model/metrics.ts';
import type {RateLimitConfig} from './model/rate-limit-config.ts';
import type {McpServer, McpServerRecord} from './model/server.ts';

export type ServerSettings = Readonly<{
	name?: string | undefined;
	target_url?: string | undefined;
	is_active?: boolean | undefined;
	default_cost_cents?: number | undefined;
	/** The fields left out keep their value (on create: the default). */
	approval_config?: Partial<ApprovalConfig> | undefined;
	rate_limit_config?: RateLimitConfig | undefined;
	upstream_headers?: Readonly<Record<string, string>> | undefined;
	forward_headers?: readonly string[] | undefined;
	allowed_methods?: readonly string[] | undefined;
	require_auth?: boolean | undefined;
	log_bodies?: McpServer['log_bodies'] | undefined;
}>;

/** Where a call goes, with every template resolved: for the moment of use only. */
export type ResolvedTarget =
	| Readonly<{ok: true; url: URL; headers: Readonly<Record<string, string>>}>
	| Readonly<{ok: false; message: string}>;

/** MCP servers of the caller's teams. */
export type McpServers = Readonly<{
	/** @throws plan_limit_reached, validation_error; forbidden for approval, limit or auth settings without scope `approvals`. */
	create(caller: Caller, request: ServerSettings & Readonly<{name: string; target_url: string}>): Promise<McpServer>;
	list(caller: Caller): Promise<readonly McpServer[]>;
	get(caller: Caller, id: string): Promise<McpServer>;
	update(caller: Caller, id: string, request: ServerSettings): Promise<McpServer>;
	delete(caller: Caller, id: string): Promise<void>;
	rotateSlug(caller: Caller, id: string): Promise<McpServer>;
	costs(
		caller: Caller,
		id: string,
		month: Readonly<{year?: number | undefined; month?: number | undefined}>,
	): Promise<CostReport>;
	/** For the proxy: the record behind a slug, active or not. */
	bySlug(slug: string): Promise<McpServerRecord | undefined>;
	/** For the proxy: the target as it resolves now. A message of failure names key and scope, never a value. */
	target(server: McpServerRecord): Promise<ResolvedTarget>;
}>;

export const createMcpServers = (
	_needs: Pick<Ports, 'mcpServers' | 'spend' | 'cipher' | 'audit' | 'signals' | 'clock' | 'ids' | 'secrets'> & {
		resolve: Resolver['resolve'];
	},
	_settings: CoreSettings,
): McpServers => {
	throw new Error('not built');
};
