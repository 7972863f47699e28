import type {CronChain, CronChainExecution, SignalboxClient} from '@signalbox/client-sdk';
import {type Command, type Context, numberOf} from '../command-line/command.ts';
import {printable} from '../command-line/printable.ts';
import {tableOf} from '../command-line/table.ts';
import {connectApi} from '../login/connection.ts';
import {listJobs} from './cron.ts';
import {followedChain} from './follow-chain.ts';
import {findNamed} from './named.ts';

const findChain = async (api: SignalboxClient, context: Context): Promise<CronChain> =>
	findNamed((await api.cron.chains.list()).data, context.argument('chain'), 'chain');

/** What starts a chain, besides a person. */
const triggerOf = ({trigger_type, trigger_schedule, timezone, trigger_endpoint_id}: CronChain): string => {
	if (trigger_type === 'schedule') return `${trigger_schedule} (${timezone})`;
	return trigger_type === 'webhook' && trigger_endpoint_id === null ? 'webhook (its endpoint is gone)' : trigger_type;
};

const list: Command = {
	name: 'chains list',
	summary: 'Lists chains of cron jobs',
	run: async (context) => {
		const {data} = await (await connectApi(context)).cron.chains.list();
		const text = tableOf(
			data,
			[
				{head: 'ID', of: ({id}) => id},
				{head: 'NAME', of: ({name}) => name},
				{head: 'TRIGGER', of: triggerOf},
				{head: 'ENABLED', of: ({is_enabled}) => (is_enabled ? 'yes' : 'no')},
				{head: 'STEPS', of: ({steps}) => String(steps.length)},
				{head: 'NEXT RUN', of: ({next_run_at}) => next_run_at ?? ''},
			],
			'There are no chains.',
		);
		return {json: data, text};
	},
};

const headingOf = (chain: CronChain): string => {
	const {name, is_enabled, next_run_at} = chain;
	const next = next_run_at !== null && `next run ${next_run_at}`;
	return printable([`${name}: ${triggerOf(chain)}`, !is_enabled && 'disabled', next].filter(Boolean).join(', '));
};

const stepsTable = ({steps}: CronChain, jobNames: ReadonlyMap<string, string>): string =>
	tableOf(
		steps,
		[
			{head: 'STEP', of: ({step_order}) => String(step_order)},
			{head: 'CONDITION', of: ({condition_type}) => condition_type},
			{head: 'TIMEOUT', of: ({timeout_seconds}) => `${timeout_seconds} s`},
			{head: 'JOB', of: ({cron_job_id}) => jobNames.get(cron_job_id) ?? `${cron_job_id} (deleted)`},
		],
		'It has no steps.',
	);

const show: Command = {
	name: 'chains show',
	summary: 'Shows what starts a chain, and its steps',
	details: 'A step runs when its condition holds for the last step before it that ran; else it is skipped.',
	args: [{name: 'chain'}],
	run: async (context) => {
		const api = await connectApi(context);
		const chain = await findChain(api, context);
		const jobNames = new Map((await listJobs(api)).map(({id, name}) => [id, name]));
		return {json: chain, text: `${headingOf(chain)}\n${stepsTable(chain, jobNames)}`};
	},
};

const run: Command = {
	name: 'chains run',
	summary: 'Starts a chain now',
	details: '  signalbox chains run nightly --follow',
	args: [{name: 'chain'}],
	options: {follow: {short: 'f', summary: 'shows how its steps stand, until it is over'}},
	run: async (context) => {
		const api = await connectApi(context);
		const {id} = await findChain(api, context);
		const started = await api.cron.chains.run({path: {id}});
		if (context.isOn('follow')) return followedChain(context, api, started.id);
		return {json: started, text: `${printable(started.chain_name)}: ${started.status}, execution ${started.id}\n`};
	},
};

const colors = {running: 'yellow', completed: 'green', failed: 'red', canceled: 'yellow'} as const;

const stepsOf = ({steps}: CronChainExecution): string => steps.map(({status}) => status).join(', ');

const runs: Command = {
	name: 'chains runs',
	summary: 'Lists the latest executions of a chain',
	args: [{name: 'chain'}],
	options: {limit: {value: 'n', summary: 'as many, 1 to 100; 20 without it'}},
	run: async (context) => {
		const limit = numberOf(context, 'limit', [1, 100]) ?? 20;
		const api = await connectApi(context);
		const {id, name} = await findChain(api, context);
		const {data} = await api.cron.chains.executions({path: {id}, query: {limit}});
		const text = tableOf(
			data,
			[
				{head: 'ID', of: (execution) => execution.id},
				{
					head: 'STATUS',
					of: ({status}) => status,
					style: (cell, {status}) => context.output.style(colors[status], cell),
				},
				{head: 'STARTED BY', of: ({triggered_by}) => triggered_by},
				{head: 'STARTED', of: ({started_at}) => started_at},
				{head: 'ENDED', of: ({completed_at}) => completed_at ?? ''},
				{head: 'STEPS', of: stepsOf},
			],
			`${printable(name)} has not run yet.`,
		);
		return {json: data, text};
	},
};

const cancel: Command = {
	name: 'chains cancel',
	summary: 'Ends an execution of a chain: its command is killed, no other step runs',
	args: [{name: 'execution'}],
	run: async (context) => {
		const api = await connectApi(context);
		const execution = await api.cron.chainExecutions.cancel({path: {id: context.argument('execution')}});
		return {json: execution, text: `${printable(execution.chain_name)}: ${execution.status}.\n`};
	},
};

const turn = (verb: 'enable' | 'disable', summary: string): Command => ({
	name: `chains ${verb}`,
	summary,
	args: [{name: 'chain'}],
	run: async (context) => {
		const api = await connectApi(context);
		const {id} = await findChain(api, context);
		const chain = await api.cron.chains.update({path: {id}, body: {is_enabled: verb === 'enable'}});
		const next = chain.next_run_at === null ? '' : `, next run ${chain.next_run_at}`;
		return {json: chain, text: `${printable(chain.name)} is ${verb}d${next}.\n`};
	},
});

export const chainCommands: readonly Command[] = [
	list,
	show,
	run,
	runs,
	cancel,
	turn('enable', 'Lets the schedule or the webhooks of a chain start it'),
	turn('disable', 'Keeps the schedule and the webhooks of a chain from starting it'),
];
