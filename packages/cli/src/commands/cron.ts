import {type CronExecution, type CronJob, paginate, type SignalboxClient} from '@signalbox/client-sdk';
import {type Command, type Context, UsageError} from '../command-line/command.ts';
import {tableOf} from '../command-line/table.ts';
import {connectApi} from '../login/connection.ts';
import {collect, findNamed} from './named.ts';

const pollMs = 1000;

const listJobs = (api: SignalboxClient): Promise<readonly CronJob[]> =>
	collect(paginate((page) => api.cron.jobs.list({query: page})));

const findJob = async (api: SignalboxClient, context: Context): Promise<CronJob> =>
	findNamed(await listJobs(api), context.argument('job'), 'cron job');

const jobs: Command = {
	name: 'cron jobs',
	summary: 'Lists cron jobs',
	run: async (context) => {
		const data = await listJobs(await connectApi(context));
		const text = tableOf(
			data,
			[
				{head: 'ID', of: ({id}) => id},
				{head: 'NAME', of: ({name}) => name},
				{head: 'SCHEDULE', of: ({schedule}) => schedule},
				{head: 'ENABLED', of: ({is_enabled}) => (is_enabled ? 'yes' : 'no')},
				{head: 'NEXT RUN', of: ({next_run_at}) => next_run_at ?? ''},
				{head: 'AGENT', of: ({agent_name}) => agent_name ?? ''},
			],
			'There are no cron jobs.',
		);
		return {json: data, text};
	},
};

const hasEnded = ({status}: CronExecution): boolean => status !== 'pending' && status !== 'running';

const latestRun = async (api: SignalboxClient, {id, name}: CronJob): Promise<string> => {
	const {data} = await api.cron.executions.list({query: {job_id: id, limit: 1}});
	if (data[0] === undefined) throw new UsageError(`${name} has not run yet`);
	return data[0].id;
};

/** Writes what a run prints as it comes, until the run has ended. */
const follow = async (context: Context, api: SignalboxClient, id: string): Promise<CronExecution> => {
	const {output, world} = context;
	for (let written = 0; ; ) {
		const run = await api.cron.executions.get({path: {id}});
		if (!output.isJson) output.write(run.output.slice(written));
		written = run.output.length;
		if (hasEnded(run)) return run;
		if (written === 0) output.progress(`${run.job_name}: ${run.status}`);
		await world.clock.sleep(pollMs);
	}
};

const summaryOf = ({status, exit_code, duration_ms, error}: CronExecution): string =>
	[status, exit_code !== null && `exit code ${exit_code}`, duration_ms !== null && `${duration_ms} ms`, error]
		.filter(Boolean)
		.join(', ');

/** Shows a run that was followed; one that did not succeed makes the command fail. */
const followed = async (context: Context, api: SignalboxClient, id: string) => {
	const run = await follow(context, api, id);
	context.output.note(`${run.job_name}: ${summaryOf(run)}`);
	if (run.status !== 'success') throw new Error(`${run.job_name} did not succeed`);
	return {json: run, text: ''};
};

const run: Command = {
	name: 'cron run',
	summary: 'Runs a cron job now',
	details: '  signalbox cron run nightly-backup --follow',
	args: [{name: 'job'}],
	options: {follow: {short: 'f', summary: 'shows what it prints, until it has ended'}},
	run: async (context) => {
		const api = await connectApi(context);
		const {id} = await findJob(api, context);
		const started = await api.cron.jobs.run({path: {id}});
		if (context.isOn('follow')) return followed(context, api, started.id);
		return {json: started, text: `${started.job_name}: ${started.status}, run ${started.id}\n`};
	},
};

const logs: Command = {
	name: 'cron logs',
	summary: 'Shows what the latest run of a cron job printed',
	args: [{name: 'job'}],
	options: {
		follow: {short: 'f', summary: 'goes on until the run has ended'},
		run: {value: 'id', summary: 'another run than the latest'},
	},
	run: async (context) => {
		const api = await connectApi(context);
		const id = context.text('run') ?? (await latestRun(api, await findJob(api, context)));
		if (context.isOn('follow')) return followed(context, api, id);
		const found = await api.cron.executions.get({path: {id}});
		context.output.note(`${found.job_name}: ${summaryOf(found)}`);
		return {json: found, text: found.output};
	},
};

const turn = (verb: 'enable' | 'disable', summary: string): Command => ({
	name: `cron ${verb}`,
	summary,
	args: [{name: 'job'}],
	run: async (context) => {
		const api = await connectApi(context);
		const {id} = await findJob(api, context);
		const job = await api.cron.jobs[verb]({path: {id}});
		const next = job.next_run_at === null ? '' : `, next run ${job.next_run_at}`;
		return {json: job, text: `${job.name} is ${verb}d${next}.\n`};
	},
});

export const cronCommands: readonly Command[] = [
	jobs,
	run,
	logs,
	turn('enable', 'Lets the schedule of a cron job run it'),
	turn('disable', 'Keeps the schedule of a cron job from running it'),
];
