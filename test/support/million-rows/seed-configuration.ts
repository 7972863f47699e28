import {createHash} from 'node:crypto';
import {durationBucketOf} from '@signalbox/core';
import type {Copies} from './copies.ts';
import type {SeedEngine} from './seed-engine.ts';
import {kinds, type Originals, ofBigTenant, smallTenants} from './seed-numbers.ts';

const tools = Array.from({length: 30}, (_, n) => `tool_${n}`);
const durations = [...new Set(Array.from({length: 40}, (_, n) => Math.round(4 * 1.17 ** n)))];

export const toolCount = tools.length;
export const durationCount = durations.length;

const tuples = (rows: readonly (readonly (string | number)[])[]): string =>
	rows.map((row) => `(${row.map((cell) => (typeof cell === 'number' ? cell : `'${cell}'`)).join(', ')})`).join(', ');

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Of owner `n`: the big tenant's below 5. */
const ofOwner = ({id}: SeedEngine, original: string, kind: number): string =>
	`CASE WHEN i < ${ofBigTenant} THEN '${original}' ELSE ${id(kind, `i - ${ofBigTenant}`)} END`;

/** Tables that say of a number what it stands for, while rows are made. */
export const helperTables = (engine: SeedEngine, of: Originals): readonly string[] => {
	const ids = Object.entries({
		server_id: kinds.server,
		endpoint_id: kinds.endpoint,
		job_id: kinds.job,
		chain_id: kinds.chain,
	});
	const columns = ids.map(([column, kind]) => `${engine.id(kind, 'i')} AS ${column}`).join(', ');
	return [
		'CREATE TABLE seed_tools (n INTEGER PRIMARY KEY, tool_name VARCHAR(64), tool_key VARCHAR(64))',
		`INSERT INTO seed_tools VALUES ${tuples(tools.map((name, n) => [n, name, keyOf(name)]))}`,
		'CREATE TABLE seed_durations (n INTEGER PRIMARY KEY, ms BIGINT UNIQUE, bucket INTEGER)',
		`INSERT INTO seed_durations VALUES ${tuples(durations.map((ms, n) => [n, ms, durationBucketOf(ms)]))}`,
		`CREATE TABLE seed_owners AS SELECT i AS n, ${ofOwner(engine, of.user_id, kinds.user)} AS user_id,
			${ofOwner(engine, of.team_id, kinds.team)} AS team_id, ${columns}
			FROM ${engine.numbers(ofBigTenant + smallTenants)} numbers`,
		'CREATE UNIQUE INDEX seed_owners_by_n ON seed_owners (n)',
	];
};

export const dropHelperTables = ['seed_tools', 'seed_durations', 'seed_owners'].map((name) => `DROP TABLE ${name}`);

const accounts = ({id}: SeedEngine, of: Originals): readonly Copies[] => {
	const count = smallTenants;
	const [user, team] = [id(kinds.user, 'i'), id(kinds.team, 'i')];
	return [
		{table: 'users', of: `id = '${of.user_id}'`, count, set: {id: user, email_key: user, active_team_id: team}},
		{table: 'teams', of: `id = '${of.team_id}'`, count, set: {id: team}},
		{table: 'memberships', of: `team_id = '${of.team_id}'`, count, set: {team_id: team, user_id: user}},
	];
};

/** Accounts, and what they have set up. */
export const configuration = (engine: SeedEngine, of: Originals): readonly Copies[] => {
	const {id, concat} = engine;
	const each = {count: ofBigTenant + smallTenants, joined: 'JOIN seed_owners o ON o.n = i'};
	const owned = {user_id: 'o.user_id', team_id: 'o.team_id'};
	const slug = concat("'seeded-'", 'i');
	const never = {agent_id: 'NULL', next_run_at: "'2099-01-01 00:00:00.000'"};
	return [
		...accounts(engine, of),
		{table: 'mcp_servers', of: `id = '${of.server_id}'`, ...each, set: {id: id(kinds.server, 'i'), slug, ...owned}},
		{
			...{table: 'webhook_endpoints', of: `id = '${of.endpoint_id}'`, ...each},
			set: {id: id(kinds.endpoint, 'i'), slug, ...owned},
		},
		{table: 'cron_jobs', of: `id = '${of.job_id}'`, ...each, set: {id: id(kinds.job, 'i'), ...owned, ...never}},
		{table: 'cron_job_commands', of: `id = '${of.job_id}'`, ...each, set: {id: id(kinds.job, 'i')}},
		{
			...{table: 'cron_chains', of: `id = '${of.chain_id}'`, ...each},
			set: {id: id(kinds.chain, 'i'), user_id: 'o.user_id', next_run_at: 'NULL'},
		},
	];
};
