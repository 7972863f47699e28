import {type Caller, mayUse} from '../../values/caller.ts';
import type {ErrorDetail} from '../../values/error-detail.ts';
import {isSameJson} from '../../values/same-json.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import {defaultApprovalConfig} from '../model/approval-config.ts';
import type {McpServerRecord} from '../model/server.ts';
import {type ParsedServerSettings, type ServerSettings, serverSettingsSchema} from '../model/server-settings.ts';
import {targetUrlProblem} from './target-url.ts';

/** The settings of a server that are not sealed. */
export type PlainSettings = Pick<
	McpServerRecord,
	| 'is_active'
	| 'default_cost_cents'
	| 'approval_config'
	| 'rate_limit_config'
	| 'forward_headers'
	| 'allowed_methods'
	| 'require_auth'
	| 'log_bodies'
>;

export const defaultServerSettings: PlainSettings = {
	is_active: true,
	default_cost_cents: 0,
	approval_config: defaultApprovalConfig,
	rate_limit_config: {},
	forward_headers: [],
	allowed_methods: [],
	require_auth: false,
	log_bodies: {mode: 'full', paths: []},
};

/** Reads what a request wants to set; `required` are the fields that it must have. Answers every field at fault. */
export const readServerSettings = (
	request: ServerSettings,
	required: readonly (keyof ServerSettings)[] = [],
): Readonly<{ok: true; settings: ParsedServerSettings}> | Readonly<{ok: false; details: readonly ErrorDetail[]}> => {
	const missing = required.filter((field) => request[field] === undefined);
	const read = serverSettingsSchema.safeParse(request);
	const details: ErrorDetail[] = missing.map((field) => ({path: field, message: 'is required'}));
	if (!read.success) details.push(...schemaProblems(read.error));
	else if (read.data.target_url !== undefined) {
		const problem = targetUrlProblem(read.data.target_url);
		if (problem !== undefined) details.push({path: 'target_url', message: problem});
	}
	return read.success && details.length === 0 ? {ok: true, settings: read.data} : {ok: false, details};
};

/** The settings after the request. Of `approval_config` the fields that are left out keep their value. */
export const mergeSettings = <S extends PlainSettings>(current: S, request: ParsedServerSettings): S => {
	const {upstream_headers: _sealed, approval_config, ...plain} = request;
	const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
	const config = Object.entries(approval_config ?? {}).filter(([, value]) => value !== undefined);
	return {...current, ...given, approval_config: {...current.approval_config, ...Object.fromEntries(config)}};
};

/** Settings by which a call is approved, limited, authenticated or kept on record. */
const guarded = [
	'approval_config',
	'allowed_methods',
	'rate_limit_config',
	'default_cost_cents',
	'require_auth',
	'log_bodies',
] as const satisfies readonly (keyof PlainSettings)[];

/** The guarded settings that the change touches and the caller may not: none with scope `approvals` or a session. */
export const forbiddenChanges = (
	caller: Caller,
	before: PlainSettings,
	after: PlainSettings,
): readonly (keyof PlainSettings)[] =>
	mayUse(caller, 'approvals') ? [] : guarded.filter((field) => !isSameJson(before[field], after[field]));

/** What the audit keeps of a change: the new values by field name, and of sealed headers only their names. */
export const auditedChange = (before: McpServerRecord, after: McpServerRecord): Record<string, unknown> => {
	const fields = ['name', 'target_url', 'is_active', 'forward_headers', ...guarded] as const;
	const changed = fields
		.filter((field) => !isSameJson(before[field], after[field]))
		.map((field) => [field, after[field]]);
	const headers = isSameJson(before.upstream_headers, after.upstream_headers)
		? {}
		: {upstream_headers: after.upstream_header_names};
	return {...Object.fromEntries(changed), ...headers};
};
