import type {McpServer} from '@signalbox/client-sdk';
import {CheckField, Form, SelectField, TextAreaField, TextField} from '../parts/form.tsx';
import {RulesEditor} from './rules-editor.tsx';
import {settingsOf} from './server-settings.ts';
import {logWords} from './server-words.ts';

type Props = Readonly<{
	server?: McpServer;
	action: string;
	submit: (settings: ReturnType<typeof settingsOf>) => Promise<unknown>;
}>;

type Shown = Readonly<{server: McpServer | undefined}>;

const amount = (cents: number | undefined): string | undefined =>
	cents === undefined ? undefined : (cents / 100).toFixed(2);

const trustLevels = [
	{value: 'moderate', label: 'Moderate: reading runs, the rest waits'},
	{value: 'strict', label: 'Strict: as chosen beside'},
	{value: 'autonomous', label: 'Autonomous: everything runs'},
];

const defaultActions = [
	{value: 'require', label: 'Waits for approval'},
	{value: 'allow', label: 'Runs'},
];

const Basics = ({server}: Shown) => (
	<>
		<TextField name="name" label="Name" value={server?.name} required maxLength={200} autofocus={!server} />
		<TextField
			name="target_url"
			label="Address of the MCP server"
			value={server?.target_url}
			placeholder="https://mcp.example.com/mcp"
			hint={
				<>
					Its streamable HTTP address. May hold <code>{'{{env.KEY}}'}</code> in the path and the query.
				</>
			}
			required
			mono
		/>
		<CheckField
			name="is_active"
			label="Active"
			hint="While it is off, its clients get 404 and the log is kept."
			checked={server?.is_active ?? true}
		/>
	</>
);

const Approvals = ({server}: Shown) => {
	const config = server?.approval_config;
	return (
		<>
			<h2>Approvals</h2>
			<CheckField
				name="enabled"
				label="Some calls wait for a person"
				hint="Off: every call runs, and is logged."
				checked={config?.enabled ?? true}
			/>
			<div class="form-columns">
				<SelectField
					name="trust_level"
					label="Trust"
					options={trustLevels}
					value={config?.trust_level ?? 'moderate'}
					hint="Reading is what list_ and get_ begin with."
				/>
				<SelectField
					name="default_action"
					label="Under strict trust, a call"
					options={defaultActions}
					value={config?.default_action ?? 'require'}
					hint="When no rule matches its tool."
				/>
			</div>
			<RulesEditor rules={config?.rules ?? []} />
			<TextField
				name="ttl_seconds"
				label="Waits at most, in seconds"
				type="number"
				value={config?.ttl_seconds ?? 300}
				min={1}
				hint="After that it expires, and is not run."
				required
			/>
		</>
	);
};

const Rate = ({server}: Shown) => (
	<div class="form-columns">
		<TextField
			name="requests_per_minute"
			label="Requests a minute"
			type="number"
			min={1}
			value={server?.rate_limit_config.requests_per_minute}
			hint="Empty: not limited."
		/>
		<TextField
			name="burst"
			label="At once"
			type="number"
			min={0}
			value={server?.rate_limit_config.burst}
			hint="On top, for a moment."
		/>
	</div>
);

const Budget = ({server}: Shown) => {
	const cost = server?.rate_limit_config.cost;
	const money = {type: 'number', min: 0, step: 0.01} as const;
	return (
		<div class="form-columns">
			<TextField
				{...money}
				name="default_cost"
				label="A call costs, in $"
				value={amount(server?.default_cost_cents ?? 0)}
			/>
			<TextField
				{...money}
				name="budget"
				label="Budget a month, in $"
				value={amount(cost?.budget_cents)}
				hint="Empty: none."
			/>
			<TextField
				name="alert_threshold_percent"
				label="Alert at, in %"
				type="number"
				min={1}
				max={100}
				value={cost?.alert_threshold_percent}
				hint="Empty: 80."
			/>
		</div>
	);
};

const logModes = Object.entries(logWords).map(([value, label]) => ({value, label}));

const Access = ({server}: Shown) => (
	<>
		<h2>Access and log</h2>
		<CheckField
			name="require_auth"
			label="Callers need an API key"
			hint="Otherwise whoever has the address can call."
			checked={server?.require_auth ?? false}
		/>
		<TextAreaField
			name="upstream_headers"
			label="Headers for the upstream"
			placeholder="Authorization: Bearer {{env.GITHUB_TOKEN}}"
			hint={
				Object.keys(server?.upstream_headers ?? {}).length > 0
					? 'One a line. Left empty, those that are set stay; their values are never shown.'
					: 'One a line. Keep secrets in variables.'
			}
			mono
		/>
		<SelectField
			name="log_bodies"
			label="Bodies in the log"
			options={logModes}
			value={server?.log_bodies.mode ?? 'full'}
		/>
	</>
);

/** Everything about a server that people choose. */
export const ServerForm = ({server, action, submit}: Props) => (
	<div class="card">
		<div class="card-body">
			<Form action={action} submit={(values) => submit(settingsOf(values, server))}>
				<Basics server={server} />
				<Approvals server={server} />
				<h2>Limits and budget</h2>
				<Rate server={server} />
				<Budget server={server} />
				<Access server={server} />
			</Form>
		</div>
	</div>
);
