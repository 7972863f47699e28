import type {McpServer, RateLimitConfig, ToolRule} from '@signalbox/client-sdk';
import {numberOf, textOf} from '../parts/form.tsx';

const rulesOf = (values: FormData): ToolRule[] => {
	const actions = values.getAll('rule_action');
	return values.getAll('rule_pattern').map((pattern, at) => ({
		pattern: String(pattern).trim(),
		action: actions[at] === 'allow' ? 'allow' : 'require',
	}));
};

/** `Name: value`, one a line. */
const headersOf = (text: string): Record<string, string> =>
	Object.fromEntries(
		text
			.split('\n')
			.map((line) => line.trim())
			.filter((line) => line !== '')
			.map((line) => {
				const [name = '', ...value] = line.split(':');
				return [name.trim(), value.join(':').trim()];
			}),
	);

const centsOf = (values: FormData, name: string): number | undefined => {
	const amount = numberOf(values, name);
	return amount === undefined ? undefined : Math.round(amount * 100);
};

const limitsOf = (values: FormData): RateLimitConfig => {
	const [requests_per_minute, burst] = [numberOf(values, 'requests_per_minute'), numberOf(values, 'burst')];
	const budget_cents = centsOf(values, 'budget');
	const alert_threshold_percent = numberOf(values, 'alert_threshold_percent');
	return {
		...(requests_per_minute !== undefined && {requests_per_minute}),
		...(burst !== undefined && {burst}),
		...(budget_cents !== undefined && {
			cost: {budget_cents, ...(alert_threshold_percent !== undefined && {alert_threshold_percent})},
		}),
	};
};

const approvalsOf = (values: FormData): McpServer['approval_config'] => ({
	enabled: values.has('enabled'),
	trust_level: textOf(values, 'trust_level') as McpServer['approval_config']['trust_level'],
	default_action: textOf(values, 'default_action') as McpServer['approval_config']['default_action'],
	ttl_seconds: numberOf(values, 'ttl_seconds') ?? 300,
	rules: rulesOf(values),
});

type LogMode = McpServer['log_bodies']['mode'];

/** What the form of a server says, as the API takes it. */
export const settingsOf = (values: FormData, server?: McpServer) => {
	const headers = textOf(values, 'upstream_headers');
	return {
		name: textOf(values, 'name'),
		target_url: textOf(values, 'target_url'),
		is_active: values.has('is_active'),
		require_auth: values.has('require_auth'),
		default_cost_cents: centsOf(values, 'default_cost') ?? 0,
		// Which members are left out besides, there is no field for: whoever set them by the API keeps them.
		log_bodies: {mode: textOf(values, 'log_bodies') as LogMode, paths: server?.log_bodies.paths ?? []},
		rate_limit_config: limitsOf(values),
		approval_config: approvalsOf(values),
		...(headers !== '' && {upstream_headers: headersOf(headers)}),
	};
};
