import type {CronExecution, CronJob, SignalboxClient} from '@signalbox/client-sdk';
import type {Context, Shown} from '../command-line/command.ts';

/** Between two looks at what is followed. Milliseconds. */
export const pollMs = 1000;

/** More runs than this between two looks are passed over, oldest first. */
const runsALook = 100;

const hasEnded = ({status}: CronExecution): boolean => status !== 'pending' && status !== 'running';

/** How a run stands, on one line. */
export const summaryOf = ({status, exit_code, duration_ms, error, truncated}: CronExecution): string =>
	[
		status,
		exit_code !== null && `exit code ${exit_code}`,
		duration_ms !== null && `${duration_ms} ms`,
		error,
		truncated && 'part of the output is missing',
	]
		.filter(Boolean)
		.join(', ');

/** Which run, and what aborts when the person leaves. */
type Followed = Readonly<{id: string; left?: AbortSignal}>;

/** Writes what a run prints as it comes. @returns the run once it has ended, or as it was when the person left */
const follow = async ({world, output}: Context, api: SignalboxClient, {id, left}: Followed): Promise<CronExecution> => {
	for (let written = 0; ; ) {
		const run = await api.cron.executions.get({path: {id}});
		if (!output.isJson) output.write(run.output.slice(written));
		written = run.output.length;
		if (hasEnded(run) || left?.aborted === true) return run;
		if (written === 0) output.progress(`${run.job_name}: ${run.status}`);
		await world.clock.sleep(pollMs, left);
	}
};

/** Follows one run to its end; one that did not succeed makes the command fail. */
export const followed = async (context: Context, api: SignalboxClient, id: string): Promise<Shown> => {
	const run = await follow(context, api, {id});
	context.output.note(`${run.job_name}: ${summaryOf(run)}`);
	return {json: run, text: '', ...(run.status !== 'success' && {failure: `${run.job_name} did not succeed`})};
};

/** Runs after one, as they fall due; without one the latest. Ids rise with time. */
const runsAfter = async (api: SignalboxClient, {id}: CronJob, last: string | undefined): Promise<readonly string[]> => {
	const {data} = await api.cron.executions.list({query: {job_id: id, limit: last === undefined ? 1 : runsALook}});
	return data
		.map((run) => run.id)
		.filter((run) => last === undefined || run > last)
		.reverse();
};

const waitingFor = ({name, next_run_at}: CronJob): string =>
	`${name}: waiting for its ${next_run_at === null ? 'first run' : `run of ${next_run_at}`}`;

/** Looks without news after which a job is looked for that may be gone. */
const looksForJob = 10;

/** Shows the latest run of a job and each one that comes after it, until the person leaves. A program gets a line of JSON for each. */
export const followJob = async (context: Context, api: SignalboxClient, job: CronJob): Promise<undefined> => {
	const {output, world} = context;
	const {stopping} = world.awaitStop();
	let quiet = 0;
	for (let last: string | undefined; !stopping.aborted; await world.clock.sleep(pollMs, stopping)) {
		const runs = await runsAfter(api, job, last);
		quiet = runs.length === 0 ? quiet + 1 : 0;
		if (quiet % looksForJob === looksForJob - 1) await api.cron.jobs.get({path: {id: job.id}});
		if (last === undefined && runs.length === 0) output.progress(waitingFor(job));
		for (const id of runs) {
			const run = await follow(context, api, {id, left: stopping});
			if (output.isJson) output.write(`${JSON.stringify(run)}\n`);
			else output.note(`${run.job_name}: ${summaryOf(run)}`);
			// A retry falls due later than runs that were made after it.
			if (last === undefined || id > last) last = id;
		}
	}
	return undefined;
};
