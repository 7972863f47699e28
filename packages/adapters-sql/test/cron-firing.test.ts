import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {type ExecutionRecord, instantOf, plusSeconds} from '@signalbox/core';
import {buildAccount, buildCronJob} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {exitCode, startProgram} from './support/processes.ts';
import {openTemporary} from './support/temporary.ts';

const ticks = 4;
const halfAnHour = 1800;

/** A database with hourly jobs whose last four ticks nobody has fired. */
const openWithDueJobs = async (t: ExecutionContext, count: number) => {
	const {database, file} = await openTemporary(t);
	const {user, team} = buildAccount();
	await database.stores.users.create({user, team});
	const next = plusSeconds(instantOf(Date.now()), halfAnHour);
	const next_run_at = plusSeconds(next, -ticks * 3600);
	const owner = {user_id: user.id, team_id: team.id};
	const jobs = Array.from({length: count}, () => buildCronJob({...owner, concurrency: 'allow', next_run_at}));
	await Promise.all(jobs.map(async (job) => database.stores.cronJobs.create(job, null)));
	const readRuns = async (): Promise<readonly ExecutionRecord[]> => {
		const page = {limit: count * ticks + 1, offset: 0, output_bytes: 0};
		return (await database.stores.executions.list(user.id, {}, page)).data;
	};
	const upcoming = async () => (await database.stores.cronJobs.upcoming(user.id, {limit: count, offset: 0})).data;
	const start = (together: number) => startProgram('firing-program', file, user.id, String(together));
	return {start, next, readRuns, upcoming};
};

const sumOf = (lines: string): number => lines.split('\n').reduce((sum, line) => sum + Number(line), 0);

test('[JOB-089 JOB-091] processes that fire the same jobs, their own clocks a day ahead, fire each tick once', async (t) => {
	const {start, next, readRuns, upcoming} = await openWithDueJobs(t, 100);
	const programs = Array.from({length: 3}, () => start(3));
	const fired = await Promise.all(programs.map(async ({stdout}) => sumOf(stdout ? await text(stdout) : '')));
	t.deepEqual(await Promise.all(programs.map(exitCode)), [0, 0, 0]);
	t.is(
		fired.reduce((sum, count) => sum + count),
		100 * ticks,
	);
	const runs = await readRuns();
	t.is(new Set(runs.map(({job_id, scheduled_for}) => `${job_id} ${scheduled_for}`)).size, 100 * ticks);
	t.is(runs.length, 100 * ticks);
	t.true((await upcoming()).every(({next_run_at}) => next_run_at === next));
});

test('[JOB-089 JOB-090] a process that dies while it fires loses no tick, and doubles none', async (t) => {
	const {start, next, readRuns, upcoming} = await openWithDueJobs(t, 200);
	const dying = start(1);
	if (dying.stdout) await once(dying.stdout, 'data');
	dying.kill('SIGKILL');
	await exitCode(dying);
	const before = (await readRuns()).length;
	t.true(before > 0 && before < 200 * ticks, `${before} were fired when it died`);
	const following = start(1);
	t.is(sumOf(following.stdout ? await text(following.stdout) : ''), 200 * ticks - before);
	t.is(await exitCode(following), 0);
	const runs = await readRuns();
	t.is(new Set(runs.map(({job_id, scheduled_for}) => `${job_id} ${scheduled_for}`)).size, 200 * ticks);
	t.is(runs.length, 200 * ticks);
	t.is((await upcoming()).filter(({next_run_at}) => next_run_at === next).length, 200);
});
