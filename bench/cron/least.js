/**
 * The least that a program can do with the jobs of `prepare.ts`: in one thread it reads what is due and creates the runs, and moves
 * the jobs on unless told `standing`, by statements over whole groups in the tables of ours. It judges nothing, plans no date
 * and tells nobody. Arguments: a directory, what `prepare.ts` printed, and `standing` or nothing. Prints what it took as JSON.
 */
import {DatabaseSync} from 'node:sqlite';

const [directory = '', prepared = '{}', standing] = process.argv.slice(2);
const {tick} = JSON.parse(prepared);
const groupSize = 2500;
const stored = (/** @type {number} */ time) => new Date(time).toISOString().replace('T', ' ').replace('Z', '');
const [noon, deadline] = [0, 3_600_000].map((later) => stored(Date.parse(tick) + later));

const database = new DatabaseSync(`${directory}/signalbox.db`);
database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0');
const due = database.prepare(
	`SELECT id, schedule_cron FROM cron_jobs WHERE is_enabled = 1 AND next_run_at = ? AND id > ?
		ORDER BY next_run_at, id LIMIT ${groupSize}`,
);
const moveOn = database.prepare(
	`UPDATE cron_jobs SET next_run_at = f.next FROM (SELECT key AS id, SUBSTR(value, 1, 23) AS next FROM json_each(?)) f
		WHERE cron_jobs.id = f.id`,
);
const createRuns = database.prepare(
	`INSERT INTO cron_executions (id, job_id, job_name, user_id, team_id, agent_id, status, triggered_by, attempt, scheduled_for,
			due_at, start_deadline_at, missed_count, truncated, available_at, watched_at, kept_bytes, received_bytes)
		SELECT SUBSTR(f.value, 24), j.id, j.name, j.user_id, j.team_id, j.agent_id, 'pending', 'scheduled', 1, ?1, ?1, ?2, 0, 0, ?1, ?2, 0, 0
		FROM json_each(?3) f CROSS JOIN cron_jobs j ON j.id = f.key`,
);

/** Of each expression: another hour. */
const nextOf = new Map();
const plan = (/** @type {string} */ schedule) => {
	const next = nextOf.get(schedule) ?? stored(Date.parse(tick) + 3_600_000 * (1 + nextOf.size));
	nextOf.set(schedule, next);
	return next;
};

let made = 0;
const begun = performance.now();
for (let last = ''; ; ) {
	const jobs = due.all(noon, last);
	if (jobs.length === 0) break;
	const cells = jobs.map(({id, schedule_cron}) => {
		made += 1;
		return [id, `${plan(schedule_cron)}${String(made).padStart(36, '0')}`];
	});
	const fields = JSON.stringify(Object.fromEntries(cells));
	database.exec('BEGIN IMMEDIATE');
	if (standing === undefined) moveOn.run(fields);
	createRuns.run(noon, deadline, fields);
	database.exec('COMMIT');
	last = String(jobs.at(-1)?.id);
}
const ms = performance.now() - begun;
database.close();
if (made !== Number(process.env.BENCH_JOBS)) throw new Error(`${made} runs of ${process.env.BENCH_JOBS}`);
const peak_mb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ms, block_ms: ms, peak_mb}));
