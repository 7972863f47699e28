import {createAuditTrail} from '../audit-trail.ts';
import {demandScope} from '../demand-scope.ts';
import type {Resolver} from '../environment/resolver.ts';
import {DomainError, invalidField, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import {monthOf} from '../values/instant.ts';
import {mask} from '../values/mask.ts';
import {createView} from '../values/view.ts';
import type {CostReport} from './model/metrics.ts';
import {type McpServer, type McpServerRecord, mcpServerSchema} from './model/server.ts';
import type {ParsedServerSettings, ServerSettings} from './model/server-settings.ts';
import type {ResolvedTarget} from './model/target.ts';
import {costReportOf} from './rules/cost-report.ts';
import {
	auditedChange,
	defaultServerSettings,
	forbiddenChanges,
	mergeSettings,
	type PlainSettings,
	readServerSettings,
} from './rules/server-settings.ts';
import {createServerDirectory} from './server-directory.ts';
import {createTargetResolver} from './server-target.ts';
import {sealUpstreamHeaders, upstreamHeadersAfter} from './upstream-headers.ts';

/** MCP servers of the caller's teams. */
export type McpServers = Readonly<{
	/**
	 * @throws plan_limit_reached; validation_error, also for headers of a target that is a variable and does not resolve now;
	 * forbidden for approval, limit or auth settings without scope `approvals`.
	 */
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
	/** For the proxy: the record behind a slug, active or not, as of the last second at most (`ServerDirectory`). */
	bySlug(slug: string): Promise<McpServerRecord | undefined>;
	/** The same, if nobody need be asked: undefined says nothing. */
	known(slug: string): McpServerRecord | undefined;
	/** For the proxy: the target as it resolves now. A message of failure names key and scope, never a value. */
	target(server: McpServerRecord): Promise<ResolvedTarget>;
	/** The same, if nobody need be asked: undefined says nothing. */
	fixedTarget(server: McpServerRecord): ResolvedTarget | undefined;
}>;

type Needs = Pick<Ports, 'mcpServers' | 'spend' | 'cipher' | 'audit' | 'signals' | 'clock' | 'ids' | 'secrets'> & {
	resolve: Resolver['resolve'];
};

/** 128 random bits: the slug alone lets calls in, so nobody may guess it. */
const slugBytes = 16;

export const createMcpServers = (needs: Needs, settings: CoreSettings): McpServers => {
	const record = createAuditTrail(needs);
	const find = async (caller: Caller, id: string): Promise<McpServerRecord> => {
		const server = await needs.mcpServers.get(caller.team_ids, id);
		if (!server) throw new DomainError('resource_not_found');
		return server;
	};
	const change = createChange(needs, find);
	const announce = ({id, team_id}: Pick<McpServerRecord, 'id' | 'team_id'>) =>
		needs.signals.publish({type: 'mcp.server.changed', mcp_server_id: id, team_id});
	return {
		create: async (caller, request) => {
			const server = await newServer(needs, caller, readOrRefuse(request, ['name', 'target_url']));
			await needs.mcpServers.create(server, planOf(settings, caller.plan).mcp_servers);
			const {id: target_id, team_id, name, target_url} = server;
			await record(caller, {action: 'mcp_server.created', team_id, target_id, data: {name, target_url}});
			return viewOf(server);
		},
		list: async (caller) => (await needs.mcpServers.list(caller.team_id)).map(viewOf),
		get: async (caller, id) => viewOf(await find(caller, id)),
		update: async (caller, id, request) => {
			const {before, after} = await change(caller, id, applying(needs, caller, readOrRefuse(request)));
			const {team_id} = after;
			await record(caller, {action: 'mcp_server.updated', team_id, target_id: id, data: auditedChange(before, after)});
			announce(after);
			return viewOf(after);
		},
		delete: async (caller, id) => {
			const server = await find(caller, id);
			demandScope(caller, 'approvals', 'Deleting a server, and its call log with it,');
			if (!(await needs.mcpServers.delete(caller.team_ids, id))) throw new DomainError('resource_not_found');
			const {team_id, name} = server;
			await record(caller, {action: 'mcp_server.deleted', team_id, target_id: id, data: {name}});
			announce(server);
		},
		rotateSlug: async (caller, id) => {
			const slug = needs.secrets.random(slugBytes);
			const {after} = await change(caller, id, async (current) => ({...current, slug}));
			await record(caller, {action: 'mcp_server.slug_rotated', team_id: after.team_id, target_id: id});
			announce(after);
			return viewOf(after);
		},
		costs: async (caller, id, month) => {
			const server = await find(caller, id);
			return costReportOf(await needs.spend.report(id, monthText(month, needs.clock.now())), server);
		},
		...createServerDirectory(needs),
		...createTargetResolver(needs),
	};
};

/** Writes what `next` makes of the record; when somebody else was faster, once more from what they left. */
const createChange =
	(needs: Needs, find: (caller: Caller, id: string) => Promise<McpServerRecord>) =>
	async (caller: Caller, id: string, next: (current: McpServerRecord) => Promise<McpServerRecord>) => {
		for (let attempt = 0; attempt < 5; attempt += 1) {
			const before = await find(caller, id);
			const wanted = {...(await next(before)), updated_at: needs.clock.now()};
			const after = await needs.mcpServers.update(caller.team_ids, wanted, before.version);
			if (after) return {before, after};
		}
		throw new DomainError('conflict', {message: 'The server is being changed by others: try again.'});
	};

const readOrRefuse = (
	request: ServerSettings,
	required: readonly (keyof ServerSettings)[] = [],
): ParsedServerSettings => {
	const read = readServerSettings(request, required);
	if (read.ok) return read.settings;
	throw invalidFields(read.details);
};

const refuseForbidden = (caller: Caller, before: PlainSettings, after: PlainSettings): void => {
	const fields = forbiddenChanges(caller, before, after);
	if (fields.length === 0) return;
	throw new DomainError('forbidden', {
		message: `Setting ${fields.join(', ')} needs an API key with scope approvals, or a signed-in session.`,
		details: fields.map((path) => ({path, message: 'needs scope approvals'})),
	});
};

const newServer = async (needs: Needs, caller: Caller, request: ParsedServerSettings): Promise<McpServerRecord> => {
	const now = needs.clock.now();
	const owner = {id: needs.ids.next(), user_id: caller.user_id, team_id: caller.team_id};
	const settings = mergeSettings(defaultServerSettings, request);
	refuseForbidden(caller, defaultServerSettings, settings);
	const {target_url = '', upstream_headers: given = {}} = request;
	return {
		...settings,
		...owner,
		...(await sealUpstreamHeaders(needs, {...owner, target_url}, {given, known: {headers: {}}})),
		slug: needs.secrets.random(slugBytes),
		name: request.name ?? '',
		target_url,
		created_at: now,
		updated_at: now,
		version: 1,
	};
};

const applying =
	(needs: Needs, caller: Caller, request: ParsedServerSettings) =>
	async (current: McpServerRecord): Promise<McpServerRecord> => {
		const next = mergeSettings(current, request);
		refuseForbidden(caller, current, next);
		const {upstream_headers, upstream_header_names} = await upstreamHeadersAfter(needs, current, request);
		return {...next, upstream_headers, upstream_header_names};
	};

const monthText = ({year, month}: Parameters<McpServers['costs']>[2], now: string): string => {
	const [currentYear = '', currentMonth = ''] = monthOf(now).split('-');
	if (year !== undefined && !(Number.isInteger(year) && year >= 1970 && year <= 9999)) {
		throw invalidField('year', 'must be a year from 1970 to 9999');
	}
	if (month !== undefined && !(Number.isInteger(month) && month >= 1 && month <= 12)) {
		throw invalidField('month', 'must be a month from 1 to 12');
	}
	return `${year ?? currentYear}-${month === undefined ? currentMonth : String(month).padStart(2, '0')}`;
};

const fieldsOf = createView(mcpServerSchema);

const viewOf = ({upstream_header_names, ...server}: McpServerRecord): McpServer =>
	fieldsOf({...server, upstream_headers: Object.fromEntries(upstream_header_names.map((name) => [name, mask]))});
