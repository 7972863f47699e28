import type {CronJob, SignalboxClient} from '@signalbox/client-sdk';
import {type Command, type Context, numberOf, UsageError} from '../command-line/command.ts';
import {printable} from '../command-line/printable.ts';
import {tableOf} from '../command-line/table.ts';
import {connectApi} from '../login/connection.ts';
import {followed, followJob, summaryOf} from './follow-runs.ts';
import {collect, findNamed} from './named.ts';

/** All jobs of the caller. */
export const listJobs = (api: SignalboxClient): Promise<readonly CronJob[]> => collect(api.cron.jobs.iterate());

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

const longestTimeout = 3600;

const createOptions = {
	schedule: {value: 'when', summary: 'when it runs'},
	timezone: {value: 'zone', summary: 'an IANA name, like Europe/Berlin'},
	'working-dir': {value: 'path', summary: 'where it runs'},
	timeout: {value: 'seconds', summary: 'when it is ended; else after five minutes'},
	agent: {value: 'name', summary: 'the agent that runs it; else your default one'},
};

const findAgent = async (api: SignalboxClient, name: string): Promise<string> =>
	findNamed((await api.agents.list()).data, name, 'agent').id;

/** What the options say of a new job. */
const settingsOf = async (context: Context, api: SignalboxClient) => {
	const [timezone, working_dir, agent] = (['timezone', 'working-dir', 'agent'] as const).map(context.text);
	const timeout_seconds = numberOf(context, 'timeout', [1, longestTimeout]);
	return {
		...(timezone !== undefined && {timezone}),
		...(working_dir !== undefined && {working_dir}),
		...(timeout_seconds !== undefined && {timeout_seconds}),
		...(agent !== undefined && {agent_id: await findAgent(api, agent)}),
	};
};

/** What the note is worth waiting for. Milliseconds. */
const longestLook = 3000;

/** Says when nobody would run the job, which neither its next run nor one that waits shows. The look changes nothing of what was done. */
const noteMissingAgent = async ({output}: Context, api: SignalboxClient, {agent_id}: CronJob): Promise<void> => {
	const agents = await api.agents.list({signal: AbortSignal.timeout(longestLook)}).catch(() => undefined);
	const agent = agents?.data.find(({id}) => id === agent_id);
	if (agents === undefined || agent?.status === 'online') return;
	const missing = agent === undefined ? 'No agent is registered' : `Its agent ${agent.name} is ${agent.status}`;
	output.note(`${missing}: run signalbox agent run on the host where the job is to run.`);
};

const create: Command = {
	name: 'cron create',
	summary: 'Lets a command run on a schedule',
	details: [
		'The schedule is in words or a cron expression, and its times are UTC without --timezone.',
		'',
		"  signalbox cron create nightly-backup './backup.sh' --schedule 'every day at 3:30 am' --timezone Europe/Berlin",
	].join('\n'),
	args: [{name: 'name'}, {name: 'command'}],
	options: createOptions,
	run: async (context) => {
		const schedule = context.text('schedule');
		if (schedule === undefined) throw new UsageError("cron create needs --schedule, like --schedule 'every hour'");
		const api = await connectApi(context);
		const [name, command] = [context.argument('name'), context.argument('command')];
		const job = await api.cron.jobs.create({body: {name, command, schedule, ...(await settingsOf(context, api))}});
		if (!context.output.isJson) {
			context.output.write(`${printable(job.name)} is created, next run ${job.next_run_at}.\n`);
			await noteMissingAgent(context, api, job);
		}
		return {json: job, text: ''};
	},
};

const remove: Command = {
	name: 'cron rm',
	summary: 'Removes a cron job',
	args: [{name: 'job'}],
	run: async (context) => {
		const api = await connectApi(context);
		const job = await findJob(api, context);
		await api.cron.jobs.delete({path: {id: job.id}});
		return {json: {id: job.id}, text: `${printable(job.name)} is removed.\n`};
	},
};

const run: Command = {
	name: 'cron run',
	summary: 'Runs a cron job now',
	details: '  signalbox cron run nightly-backup --follow',
	args: [{name: 'job'}],
	options: {follow: {short: 'f', summary: 'shows what it prints, until it has ended'}},
	run: async (context) => {
		const api = await connectApi(context);
		const job = await findJob(api, context);
		const started = await api.cron.jobs.run({path: {id: job.id}});
		if (!context.output.isJson) await noteMissingAgent(context, api, job);
		if (context.isOn('follow')) return followed(context, api, started.id);
		return {json: started, text: `${printable(started.job_name)}: ${started.status}, run ${started.id}\n`};
	},
};

/** As many may wait behind the one that ran last. */
const mostWaiting = 20;

/** The latest that has begun: a retry waits for up to a day behind the run whose failure is looked for. */
const latestRun = async ({output}: Context, api: SignalboxClient, {id, name}: CronJob): Promise<string> => {
	const {data} = await api.cron.executions.list({query: {job_id: id, limit: mostWaiting}});
	const [newest] = data;
	if (newest === undefined) throw new Error(`${name} has not run yet`);
	const begun = data.find(({status}) => status !== 'pending') ?? newest;
	if (begun !== newest) output.note(`${name}: the next run is due at ${newest.scheduled_for}`);
	return begun.id;
};

const logs: Command = {
	name: 'cron logs',
	summary: 'Shows what the latest run of a cron job printed',
	details: '  signalbox cron logs nightly-backup --follow    # this run and all that come after it, until Ctrl-C',
	args: [{name: 'job'}],
	options: {
		follow: {
			short: 'f',
			summary: 'shows what is printed as it comes, run after run; with --run until that run has ended',
		},
		run: {value: 'id', summary: 'another run than the latest'},
	},
	run: async (context) => {
		const api = await connectApi(context);
		const chosen = context.text('run');
		if (context.isOn('follow'))
			return chosen === undefined
				? followJob(context, api, await findJob(api, context))
				: followed(context, api, chosen);
		const id = chosen ?? (await latestRun(context, api, await findJob(api, context)));
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
		return {json: job, text: `${printable(job.name)} is ${verb}d${next}.\n`};
	},
});

export const cronCommands: readonly Command[] = [
	jobs,
	create,
	run,
	logs,
	turn('enable', 'Lets the schedule of a cron job run it'),
	turn('disable', 'Keeps the schedule of a cron job from running it'),
	remove,
];
