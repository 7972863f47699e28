import {type Sql, sql} from '../../../src/sql.ts';
import type {Row} from '../../../src/table.ts';
import {textOf} from './record-statements.ts';

/** What makes a statement slower the more rows there are. */
export type PlanProblem =
	| 'reads a whole table'
	/** An index is used, but for a column of a few values. */
	| 'reads a share of a table'
	| 'sorts'
	| 'builds an index';

/** Tables that hold what people set up; every other one grows with the traffic. */
export const configuration = new Set([
	...['users', 'teams', 'memberships', 'invites', 'api_keys', 'variables', 'schema_migrations'],
	...['notification_channels', 'mcp_servers', 'webhook_endpoints', 'webhook_middlewares', 'webhook_routing_rules'],
	...['cron_agents', 'cron_jobs', 'cron_job_commands', 'cron_job_tags', 'cron_chains'],
]);

/** The table that a statement gives that alias. */
export const tableOf = (text: string, alias: string): string => {
	const named = new RegExp(`(?:FROM|JOIN|,) (\\w+) (?:AS )?${alias}\\b`).exec(text)?.[1];
	return named === undefined || named === 'SELECT' ? alias : named;
};

const readOf = /^(SCAN|SEARCH) (\w+)/;
const ofFewValues = /\((?:status|is_\w+|leased)=\?\)/;

const problemOfStep = (step: string, isTable: (alias: string) => boolean): PlanProblem | undefined => {
	if (step.includes('AUTOMATIC')) return 'builds an index';
	if (/^USE TEMP B-TREE FOR (ORDER|GROUP|DISTINCT)/.test(step)) return 'sorts';
	const [, kind, alias = ''] = readOf.exec(step) ?? [];
	if (kind === undefined || !isTable(alias)) return undefined;
	if (kind === 'SCAN') return 'reads a whole table';
	return ofFewValues.test(step) ? 'reads a share of a table' : undefined;
};

/** Sorting what few ids name, or what people set up, takes as long however much else there is. */
const isShort = (steps: readonly string[], tables: readonly string[]): boolean => {
	const outermost = steps.find((step) => readOf.test(step)) ?? '';
	return outermost.endsWith('(id=?)') || tables.every((table) => configuration.has(table));
};

/** `EXPLAIN` for SQLite. */
export const explained = (statement: Sql): Sql => sql`EXPLAIN QUERY PLAN ${statement}`;

/** The steps of a plan of SQLite, and the problems among them. */
export const judgePlan = (statement: Sql, rows: readonly Row[], tables: ReadonlySet<string>) => {
	const text = textOf(statement);
	const steps = rows.map(({detail}) => String(detail));
	const read = steps.flatMap((step) => readOf.exec(step)?.[2] ?? []).map((alias) => tableOf(text, alias));
	const problems = steps.flatMap((step) => problemOfStep(step, (alias) => tables.has(tableOf(text, alias))) ?? []);
	const short = isShort(
		steps,
		read.filter((table) => tables.has(table)),
	);
	return {steps, problems: [...new Set(problems)].filter((problem) => problem !== 'sorts' || !short)};
};
