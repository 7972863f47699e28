import type {PlanProblem} from './query-plan.ts';

/** Statements whose plan has a problem that does no harm, and why. */
export type PlanException = Readonly<{statement: RegExp; problem: PlanProblem; why: string}>;

const seldom: readonly PlanException[] = [
	{
		statement: /^SELECT name FROM schema_migrations/,
		problem: 'reads a whole table',
		why: 'it has a row for each migration',
	},
	{
		statement: /^SELECT .* FROM users ORDER BY created_at, id$/,
		problem: 'reads a whole table',
		why: 'an operator asks for all accounts',
	},
	{
		statement: /^SELECT COUNT\(\*\) AS count FROM users$/,
		problem: 'reads a whole table',
		why: 'asked once, when a server that makes a first account starts',
	},
	{
		statement: /_kid <> \?( OR \w+_kid <> \?)*( ORDER BY|$)/,
		problem: 'reads a whole table',
		why: 'an operator replaces the master key',
	},
];

/** Once a minute, with a few steps down an index for each account, server or endpoint: the fewest looks there can be. */
const upkeep: readonly PlanException[] = [
	{
		statement: /FROM (users u|mcp_servers s LEFT JOIN users u ON \S+ = \S+) CROSS JOIN /,
		problem: 'reads a whole table',
		why: 'how long something is kept depends on whose it is',
	},
	{
		statement: /FROM webhook_endpoints p LEFT JOIN users u ON .* CROSS JOIN webhook_events e /,
		problem: 'reads a whole table',
		why: 'the same for events',
	},
];

/** Looked at once a second. */
const queues: readonly PlanException[] = [
	{
		statement: /FROM notification_outbox o CROSS JOIN notifications n /,
		problem: 'reads a whole table',
		why: 'it holds what waits, and is read in its order until enough are found',
	},
];

const shortSorts: readonly PlanException[] = [
	{
		statement: /FROM session_families f JOIN refresh_tokens t /,
		problem: 'sorts',
		why: 'the sign-ins of one user that still hold',
	},
	{
		statement: /FROM mcp_tool_spend WHERE mcp_server_id = \? AND month = \?/,
		problem: 'sorts',
		why: 'the tools of one server, in one month',
	},
	{
		statement: / FROM \(SELECT .* FROM mcp_call_(day_)?rollups WHERE .*\) p GROUP BY /,
		problem: 'sorts',
		why: 'what is summed up are sums of days, not calls',
	},
	{
		statement: /LIMIT \d+ OFFSET \d+\) page CROSS JOIN /,
		problem: 'sorts',
		why: 'the rows of one page',
	},
	{
		statement: /FROM webhook_(deliveries WHERE event_id|attempts WHERE delivery_id) IN \([?, ]+\) ORDER BY/,
		problem: 'sorts',
		why: 'what belongs to the events of one page',
	},
	{
		statement: /FROM cron_executions WHERE job_id IN .* AND watched_at IS NOT NULL ORDER BY id$/,
		problem: 'sorts',
		why: 'runs that are not over, of jobs that allow one at a time',
	},
	{
		statement: /FROM cron_chain_executions WHERE chain_id = \? AND due_at IS NOT NULL ORDER BY id$/,
		problem: 'sorts',
		why: 'executions of one chain that are not over',
	},
];

export const planExceptions: readonly PlanException[] = [...seldom, ...upkeep, ...queues, ...shortSorts];
