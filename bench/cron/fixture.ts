import {DatabaseSync} from 'node:sqlite';
import {openDatabase, type SqlDatabase} from '@signalbox/adapters-sql';
import type {CronJobRecord} from '@signalbox/core';
import {createIds} from '@signalbox/core/node';
import {buildAccount, buildCronJob} from '@signalbox/core/testing';
import {logicalDatabase} from '../../test/support/mariadb.ts';

/** So many creations are under way at once. */
const atOnce = 100;

const ids = createIds();

/** A migrated database with a user. `clockOffset`: milliseconds that its clock is ahead. */
export const openBench = async (directory: string, clockOffset: () => number = () => 0) => {
	const file = `${directory}/signalbox.db`;
	const url = process.env.BENCH_DATABASE ?? `sqlite:${file}`;
	const onServer = url.startsWith('mysql:');
	const database = await openDatabase({url, clockOffset});
	await database.migrate();
	const {user, team} = buildAccount({id: ids.next()});
	await database.stores.users.create({user, team});
	/** Past the stores. */
	const execute = async (statement: string): Promise<unknown> => {
		if (onServer) return logicalDatabase(new URL(url).pathname.slice(1)).query(statement);
		const direct = new DatabaseSync(file);
		const rows = direct.prepare(statement).all();
		direct.close();
		return rows;
	};
	return {database, onServer, execute, owner: {user_id: user.id, team_id: team.id}};
};

export type Owner = Readonly<{user_id: string; team_id: string}>;

/** Jobs with these fields, each under an id of its own. */
export const addJobs = async (
	{stores}: SqlDatabase,
	owner: Owner,
	jobs: readonly Partial<CronJobRecord>[],
): Promise<void> => {
	const records = jobs.map((fields) => buildCronJob({...owner, ...fields, id: ids.next()}));
	for (let begin = 0; begin < records.length; begin += atOnce) {
		const some = records.slice(begin, begin + atOnce);
		await Promise.all(some.map(async (job) => stores.cronJobs.create(job, null)));
	}
};
