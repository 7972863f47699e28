import {type CronJobRecord, type CronJobStore, DomainError, type JobFilter} from '@signalbox/core';
import {type Connection, count, first, type Reader, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {lockRow} from '../lock-rows.ts';
import {newestPage} from '../page.ts';
import {and, integer, paddedList, type Sql, sql} from '../sql.ts';
import {readInstant} from '../table.ts';
import {textKeyOf} from '../text-key.ts';
import {executions} from './executions.table.ts';
import {type JobRow, jobCommands, jobs, jobTags} from './jobs.table.ts';
import {noteRunsChanged} from './step-runs.ts';

const ofUser = (user_id: string, id: string): Sql => sql`id = ${id} AND user_id = ${user_id}`;

const selectJob = (one: Sql): Sql => sql`SELECT ${jobs.columns} FROM cron_jobs WHERE ${one}`;

/** With their commands. One that is gone by now is left out. */
export const withCommands = async (reader: Reader, rows: readonly JobRow[]): Promise<readonly CronJobRecord[]> => {
	if (rows.length === 0) return [];
	const found = await reader.all(
		sql`SELECT ${jobCommands.columns} FROM cron_job_commands WHERE id IN ${paddedList(rows.map(({id}) => id))}`,
	);
	const commands = new Map(found.map(jobCommands.read).map((command) => [command.id, command]));
	return rows.flatMap((row) => {
		const command = commands.get(row.id);
		return command ? [{...row, ...command}] : [];
	});
};

const findJob = async (reader: Reader, one: Sql): Promise<CronJobRecord | undefined> => {
	const row = await first(reader, selectJob(one));
	return row && (await withCommands(reader, [jobs.read(row)])).at(0);
};

/** Held, so that it does not go before the job names it. */
const requireAgent = async (transaction: Transaction, {user_id, agent_id}: CronJobRecord): Promise<void> => {
	if (agent_id === null) return;
	const agent = sql`SELECT id FROM cron_agents WHERE ${ofUser(user_id, agent_id)} ${transaction.dialect.forUpdate}`;
	if (!(await first(transaction, agent))) throw new DomainError('resource_not_found');
};

const insertTags = async (transaction: Transaction, {id, user_id, tags}: CronJobRecord): Promise<void> => {
	const keys = new Set(tags.map(textKeyOf));
	const rows = Array.from(keys, (tag_key) => ({job_id: id, tag_key, user_id}));
	await transaction.insert(jobTags, rows);
};

const createJob = async (transaction: Transaction, job: CronJobRecord, limit: number | null): Promise<void> => {
	await lockRow(transaction, 'users', job.user_id);
	const existing = sql`SELECT COUNT(*) AS count FROM cron_jobs WHERE user_id = ${job.user_id}`;
	if (limit !== null && (await count(transaction, existing)) >= limit) throw new DomainError('plan_limit_reached');
	await requireAgent(transaction, job);
	await transaction.run(jobs.insert([job]));
	await transaction.run(jobCommands.insert([job]));
	await insertTags(transaction, job);
};

/** What says who made it and when stays, and when it last ran; the rest is written, the team too: who left it takes the job along. */
const changesOf = (job: CronJobRecord, version: number): readonly [job: Sql, command: Sql] => {
	const {id: _, user_id: __, created_at: ___, last_run_at: ____, ...changes} = job;
	return [jobs.set({...changes, version: version + 1}), jobCommands.set(changes)];
};

const updateJob = async (transaction: Transaction, one: Sql, [job, version]: [CronJobRecord, number]) => {
	const [changes, command] = changesOf(job, version);
	const update = sql`UPDATE cron_jobs SET ${changes} WHERE ${one} AND version = ${version}`;
	const row = await guardedUpdate(transaction, update, selectJob(one));
	if (row === undefined) return undefined;
	await requireAgent(transaction, job);
	await transaction.run(sql`UPDATE cron_job_commands SET ${command} WHERE id = ${job.id}`);
	await transaction.run(sql`DELETE FROM cron_job_tags WHERE job_id = ${job.id}`);
	await insertTags(transaction, job);
	await transaction.run(
		sql`UPDATE cron_executions SET ${executions.set({job_name: job.name, agent_id: job.agent_id, team_id: job.team_id})}
			WHERE job_id = ${job.id} AND ${transaction.dialect.isSet('watched_at')} AND status = 'pending'`,
	);
	return (await withCommands(transaction, [jobs.read(row)])).at(0);
};

const matching = (user_id: string, {enabled, tag}: JobFilter): Sql => {
	const conditions = [sql`user_id = ${user_id}`];
	if (enabled !== undefined) conditions.push(sql`is_enabled = ${enabled}`);
	if (tag !== undefined) {
		const ofTag = sql`user_id = ${user_id} AND tag_key = ${textKeyOf(tag)}`;
		conditions.push(sql`id IN (SELECT job_id FROM cron_job_tags WHERE ${ofTag})`);
	}
	return and(conditions);
};

const listPage = async (connection: Connection, condition: Sql, page: Parameters<CronJobStore['list']>[2]) => {
	const {data, ...bounds} = await newestPage(connection, {table: jobs, condition}, page);
	return {...bounds, data: await withCommands(connection, data)};
};

const upcomingPage: (
	connection: Connection,
	...order: Parameters<CronJobStore['upcoming']>
) => ReturnType<CronJobStore['upcoming']> = async (connection, user_id, {limit, offset}) => {
	const waiting = sql`cron_jobs WHERE user_id = ${user_id} AND is_enabled = 1 AND next_run_at IS NOT NULL`;
	const rows = await connection.all(
		sql`SELECT id, name, next_run_at FROM ${waiting} ORDER BY next_run_at, id LIMIT ${integer(limit)} OFFSET ${integer(offset)}`,
	);
	const data = rows.map(({id, name, next_run_at}) => ({
		job_id: String(id),
		name: String(name),
		next_run_at: readInstant(next_run_at),
	}));
	return {data, total: await count(connection, sql`SELECT COUNT(*) AS count FROM ${waiting}`), limit, offset};
};

/** Command, tags and executions with their output go with it by their foreign keys. */
const deleteJob = async (transaction: Transaction, user_id: string, id: string): Promise<boolean> => {
	// No run of it is made from here on that the chain executions would not be told of.
	await lockRow(transaction, 'cron_jobs', id);
	const open = sql`SELECT id FROM cron_executions WHERE job_id = ${id} AND user_id = ${user_id}
		AND ${transaction.dialect.isSet('watched_at')}`;
	await noteRunsChanged(transaction, open);
	await transaction.run(sql`DELETE FROM cron_occurrences WHERE user_id = ${user_id} AND job_id = ${id}`);
	return (await transaction.run(sql`DELETE FROM cron_jobs WHERE ${ofUser(user_id, id)}`)) > 0;
};

export const createCronJobStore = (connection: Connection): CronJobStore => ({
	create: async (job, limit) => connection.write(async (transaction) => createJob(transaction, job, limit)),
	get: async (user_id, id) => findJob(connection, ofUser(user_id, id)),
	list: async (user_id, filter, page) => listPage(connection, matching(user_id, filter), page),
	update: async (user_id, job, version) =>
		connection.write(async (transaction) => updateJob(transaction, ofUser(user_id, job.id), [job, version])),
	delete: async (user_id, id) => connection.write(async (transaction) => deleteJob(transaction, user_id, id)),
	upcoming: async (user_id, page) => upcomingPage(connection, user_id, page),
});
