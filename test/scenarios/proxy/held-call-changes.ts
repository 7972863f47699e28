import type {ServerSettings} from '@signalbox/core';
import {gatedTool} from './lenient-upstream.ts';
import type {LonePerson, LoneProxy} from './lone-proxy.ts';

/** A call of the gated tool that waits for its approval, and what it came through. */
export type HeldCallWorld = Readonly<{proxy: LoneProxy; server_id: string; agent: LonePerson; variable_id: string}>;

/** Something that takes the ground from under an approval. */
export type HeldCallChange = Readonly<{
	name: string;
	/** Default: none. */
	server?: ServerSettings;
	/** Default: by an API key. */
	caller?: 'anonymous' | 'token';
	change(world: HeldCallWorld): Promise<unknown>;
}>;

const setting =
	(settings: ServerSettings): HeldCallChange['change'] =>
	({proxy: {core, owner}, server_id}) =>
		core.mcp.servers.update(owner, server_id, settings);

const require = {pattern: gatedTool, action: 'require'} as const;
const allow = {pattern: gatedTool, action: 'allow'} as const;
const variable = '{{env.WHERE}}';
/** Milliseconds, and a little more. */
const tokenLifetime = 901_000;

/** Everything that may change between the decision about a call and its execution, so that it must not run. */
export const heldCallChanges: readonly HeldCallChange[] = [
	{name: 'another target_url', change: setting({target_url: 'http://127.0.0.1:1/plain'})},
	{
		name: 'another path of the target',
		change: ({proxy: {core, owner}, server_id}) =>
			core.mcp.servers
				.get(owner, server_id)
				.then(({target_url}) => core.mcp.servers.update(owner, server_id, {target_url: `${target_url}/other`})),
	},
	{name: 'a header for the upstream added', change: setting({upstream_headers: {authorization: 'Bearer other'}})},
	{
		name: 'a header for the upstream changed',
		server: {upstream_headers: {authorization: 'Bearer one'}},
		change: setting({upstream_headers: {authorization: 'Bearer other'}}),
	},
	{
		name: 'a header for the upstream removed',
		server: {upstream_headers: {authorization: 'Bearer one'}},
		change: setting({upstream_headers: {}}),
	},
	{name: 'a header to pass on added', change: setting({forward_headers: ['x-tenant']})},
	{name: 'credentials demanded', caller: 'anonymous', change: setting({require_auth: true})},
	{name: 'the server deactivated', change: setting({is_active: false})},
	{
		name: 'the server deleted',
		change: ({proxy: {core, owner}, server_id}) => core.mcp.servers.delete(owner, server_id),
	},
	{
		name: 'the slug rotated',
		change: ({proxy: {core, owner}, server_id}) => core.mcp.servers.rotateSlug(owner, server_id),
	},
	{name: 'approvals switched off', change: setting({approval_config: {enabled: false}})},
	{name: 'a rule added that lets the tool pass', change: setting({approval_config: {rules: [allow, require]}})},
	{name: 'the rule removed', change: setting({approval_config: {rules: []}})},
	{name: 'the action of the rule changed', change: setting({approval_config: {rules: [allow]}})},
	{
		name: 'the tool trusted',
		server: {approval_config: {rules: [], trust_level: 'moderate'}},
		change: setting({approval_config: {trust_level: 'autonomous'}}),
	},
	{
		name: 'the tool allowed by default',
		server: {approval_config: {rules: [], default_action: 'require'}},
		change: setting({approval_config: {default_action: 'allow'}}),
	},
	{
		name: 'the variable in the target changed',
		server: {target_url: `<upstream>/plain/${variable}`},
		change: ({proxy: {core, owner}, variable_id}) =>
			core.environment.variables.update(owner, variable_id, {value: 'there'}),
	},
	{
		name: 'the variable in the target deleted',
		server: {target_url: `<upstream>/plain/${variable}`},
		change: ({proxy: {core, owner}, variable_id}) => core.environment.variables.delete(owner, variable_id),
	},
	{
		name: 'the variable in a header changed',
		server: {upstream_headers: {'x-account': variable}},
		change: ({proxy: {core, owner}, variable_id}) =>
			core.environment.variables.update(owner, variable_id, {value: 'there'}),
	},
	{
		name: 'the variable in a header out of scope',
		server: {upstream_headers: {'x-account': variable}},
		change: ({proxy: {core, owner}, variable_id}) =>
			core.environment.variables.update(owner, variable_id, {scope: 'cron'}),
	},
	{
		name: 'the variable in a header hidden by another',
		server: {upstream_headers: {'x-account': variable}},
		change: ({proxy: {core, owner}}) => core.environment.variables.create(owner, {key: 'WHERE', value: 'there'}),
	},
	{
		name: 'the key deleted',
		change: ({proxy: {core}, agent}) => core.accounts.apiKeys.delete(agent.caller, agent.key_id),
	},
	{
		name: 'the member removed',
		server: {require_auth: true},
		change: ({proxy: {ports, owner}, agent}) => ports.teams.removeMember(owner.team_id, agent.caller.user_id),
	},
	{
		name: 'the member with a token removed',
		server: {require_auth: true},
		caller: 'token',
		change: ({proxy: {ports, owner}, agent}) => ports.teams.removeMember(owner.team_id, agent.caller.user_id),
	},
	{
		name: 'the person disabled',
		caller: 'token',
		change: ({proxy: {ports}, agent}) => ports.users.update(agent.caller.user_id, {disabled: true}, ports.clock.now()),
	},
	{
		name: 'the member removed and the token expired',
		server: {require_auth: true},
		caller: 'token',
		change: async ({proxy: {ports, clock, owner}, agent}) => {
			await ports.teams.removeMember(owner.team_id, agent.caller.user_id);
			await clock.advance(tokenLifetime);
		},
	},
	{
		name: 'the person disabled and the token expired',
		caller: 'token',
		change: async ({proxy: {ports, clock}, agent}) => {
			await ports.users.update(agent.caller.user_id, {disabled: true}, clock.now());
			await clock.advance(tokenLifetime);
		},
	},
];
