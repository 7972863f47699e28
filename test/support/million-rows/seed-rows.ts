import type {Copies} from './copies.ts';
import {durationCount, toolCount} from './seed-configuration.ts';
import type {SeedEngine} from './seed-engine.ts';
import {type Counts, kinds, mixed, moments, type Originals, ofBigTenant, owner} from './seed-numbers.ts';

const choice = (index: string, ...texts: readonly string[]): string =>
	`CASE ${index} ${texts.map((text, n) => `WHEN ${n} THEN '${text}'`).join(' ')} END`;

export const mcpRows = (engine: SeedEngine, {team_id}: Originals, {calls, approvals}: Counts): readonly Copies[] => {
	const of = `team_id = '${team_id}'`;
	const owned = {mcp_server_id: 'o.server_id', team_id: 'o.team_id'};
	const [called, asked] = [moments(engine, calls), moments(engine, approvals)];
	const called_by = `${owner} JOIN seed_tools tool ON tool.n = ${mixed(0, ofBigTenant)} * ${toolCount / ofBigTenant} + ${mixed(1, toolCount / ofBigTenant)}
		JOIN seed_durations d ON d.n = ${mixed(500, durationCount)}`;
	return [
		{
			...{table: 'mcp_calls', of, count: calls, joined: called_by},
			set: {
				...{id: engine.id(kinds.call, 'i'), ...owned, tool_name: 'tool.tool_name', duration_ms: 'd.ms'},
				status: `CASE ${mixed(900, 20)} WHEN 0 THEN 'error' WHEN 1 THEN 'timeout' ELSE 'success' END`,
				created_at: called,
			},
		},
		{
			...{table: 'approvals', of, count: approvals, joined: owner},
			set: {
				...{id: engine.id(kinds.approval, 'i'), ...owned, user_id: 'o.user_id'},
				status: choice(mixed(1, 3), 'approved', 'rejected', 'expired'),
				...{created_at: asked, expires_at: asked, caller_waiting: '0'},
			},
		},
	];
};

const rollup = (table: string, since: Readonly<{column: string; value: string}>): string =>
	`INSERT INTO ${table} (mcp_server_id, ${since.column}, tool_key, status, bucket, tool_name, calls, duration_ms, cost_cents)
		SELECT c.mcp_server_id, ${since.value}, tool.tool_key, c.status, d.bucket, c.tool_name, COUNT(*),
			SUM(c.duration_ms), SUM(c.cost_cents)
		FROM mcp_calls c JOIN seed_tools tool ON tool.tool_name = c.tool_name JOIN seed_durations d ON d.ms = c.duration_ms
		GROUP BY c.mcp_server_id, ${since.value}, tool.tool_key, c.status, d.bucket, c.tool_name`;

/** What the log counts its calls into. */
export const rollups = ({hourOf}: SeedEngine): readonly string[] => [
	rollup('mcp_call_rollups', {column: 'hour', value: hourOf('c.created_at')}),
	rollup('mcp_call_day_rollups', {column: 'day', value: 'substr(c.created_at, 1, 10)'}),
];

export const webhookRows = (engine: SeedEngine, {team_id}: Originals, {events}: Counts): readonly Copies[] => {
	const one = `SELECT id FROM webhook_events WHERE team_id = '${team_id}'`;
	const {id} = engine;
	const [event, delivery, at] = [id(kinds.event, 'i'), id(kinds.delivery, 'i'), moments(engine, events)];
	const isDelivered = `${mixed(1, 10)} < 8`;
	const over = {due_at: 'NULL', leased: '0', available_at: 'NULL', attempt_count: '1', armed_attempts: '1', fence: '1'};
	return [
		{
			...{table: 'webhook_events', of: `team_id = '${team_id}'`, count: events, joined: owner},
			set: {
				...{id: event, endpoint_id: 'o.endpoint_id', team_id: 'o.team_id', user_id: 'o.user_id', created_at: at},
				status: `CASE WHEN ${isDelivered} THEN 'delivered' ELSE 'failed' END`,
			},
		},
		{table: 'webhook_event_contents', of: `id IN (${one})`, count: events, set: {id: event}},
		{
			...{table: 'webhook_deliveries', of: `event_id IN (${one})`, count: events},
			set: {
				...{id: delivery, event_id: event, status: `CASE WHEN ${isDelivered} THEN 'delivered' ELSE 'failed' END`},
				...{...over, delivered_at: `CASE WHEN ${isDelivered} THEN ${at} ELSE NULL END`},
			},
		},
		{
			...{table: 'webhook_attempts', count: events},
			set: {
				...{delivery_id: delivery, id: id(kinds.attempt, 'i'), number: '1', started_at: at, completed_at: at},
				...{outcome: `CASE WHEN ${isDelivered} THEN 'delivered' ELSE 'refused' END`, status_code: '200'},
				...{error_code: 'NULL', response_headers: "'{}'", duration_ms: '12', response_body: engine.bytes("'ok'")},
			},
		},
	];
};

export const cronRows = (engine: SeedEngine, {user_id}: Originals, counts: Counts): readonly Copies[] => {
	const {executions, chainExecutions} = counts;
	const {id} = engine;
	const of = `user_id = '${user_id}'`;
	const [ran, chained] = [moments(engine, executions), moments(engine, chainExecutions)];
	const ended = {available_at: 'NULL', watched_at: 'NULL', untold_since: 'NULL', completed_at: ran, started_at: ran};
	return [
		{
			...{table: 'cron_executions', of, count: executions, joined: owner},
			set: {
				...{id: id(kinds.execution, 'i'), job_id: 'o.job_id', user_id: 'o.user_id', team_id: 'o.team_id'},
				...{...ended, scheduled_for: ran, due_at: ran, start_deadline_at: ran, held_by: 'NULL', agent_id: 'NULL'},
				status: choice(mixed(1, 4), 'success', 'success', 'failed', 'timeout'),
				triggered_by: choice(mixed(300, 4), 'scheduled', 'scheduled', 'scheduled', 'manual'),
			},
		},
		{
			...{table: 'cron_occurrences', count: executions, joined: owner},
			set: {user_id: 'o.user_id', scheduled_for: ran, job_id: 'o.job_id', outcome: "'fired'"},
		},
		{
			...{table: 'cron_chain_executions', of, count: chainExecutions, joined: owner},
			set: {
				...{id: id(kinds.chainExecution, 'i'), chain_id: 'o.chain_id', user_id: 'o.user_id', due_at: 'NULL'},
				...{status: "'completed'", started_at: chained, completed_at: chained, untold_since: 'NULL'},
			},
		},
		{
			...{table: 'cron_step_runs', count: chainExecutions},
			set: {
				...{execution_id: id(kinds.execution, 'i'), chain_execution_id: id(kinds.chainExecution, 'i')},
				...{step_order: '1', attempt: '1', deadline_at: chained},
			},
		},
	];
};

export const peopleRows = (engine: SeedEngine, {user_id, team_id}: Originals, counts: Counts): readonly Copies[] => {
	const {notifications, audit, sessions} = counts;
	const {id, concat} = engine;
	const [family, token] = [id(kinds.family, 'i'), id(kinds.token, 'i')];
	return [
		{
			...{table: 'notifications', count: notifications, joined: owner},
			set: {
				...{id: id(kinds.notification, 'i'), user_id: 'o.user_id', type: "'system'", title: "'News'", message: "''"},
				...{data: "'{}'", is_read: `CASE WHEN ${mixed(1, 50)} = 0 THEN 0 ELSE 1 END`},
				created_at: moments(engine, notifications),
			},
		},
		{
			...{table: 'audit_entries', of: `team_id = '${team_id}'`, count: audit, joined: owner},
			set: {
				...{id: id(kinds.audit, 'i'), team_id: 'o.team_id', user_id: 'o.user_id', created_at: moments(engine, audit)},
			},
		},
		{
			table: 'session_families',
			of: `user_id = '${user_id}'`,
			count: sessions,
			joined: owner,
			set: {id: family, user_id: 'o.user_id'},
		},
		{
			...{table: 'refresh_tokens', of: `user_id = '${user_id}'`, count: sessions, joined: owner},
			set: {
				...{id: token, family_id: family, user_id: 'o.user_id', token_digest: concat("'digest-'", 'i')},
				expires_at: "'2099-01-01 00:00:00.000'",
			},
		},
	];
};
