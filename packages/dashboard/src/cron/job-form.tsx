import type {CronJob, SignalboxClient} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {CheckField, Form, NameField, numberOf, SelectField, TextAreaField, TextField, textOf} from '../parts/form.tsx';
import {client} from '../session/client.ts';
import {ScheduleFields} from './schedule-fields.tsx';
import {linesOfVariables, variablesIn} from './variable-lines.ts';

export type JobFields = Parameters<SignalboxClient['cron']['jobs']['create']>[0]['body'];

const numbersIn = (text: string): number[] =>
	text
		.split(/[\s,]+/)
		.filter((part) => part !== '')
		.map(Number);

/** A tag may hold blanks. */
const tagsIn = (text: string): string[] =>
	text
		.split(',')
		.map((tag) => tag.trim())
		.filter((tag) => tag !== '');

const textOfTags = (job: CronJob | undefined): string => job?.tags.join(', ') ?? '';

const textOfVariables = (job: CronJob | undefined): string => linesOfVariables(job?.environment ?? {});

/** What was left as it was is not sent: a text may not say all of what is stored. */
const changedFrom = (stored: string, values: FormData, name: string): string | undefined =>
	textOf(values, name) === stored.trim() ? undefined : textOf(values, name);

const looseFieldsOf = (values: FormData, job: CronJob | undefined): Pick<JobFields, 'environment' | 'tags'> => {
	const [variables, tags] = [
		changedFrom(textOfVariables(job), values, 'environment'),
		changedFrom(textOfTags(job), values, 'tags'),
	];
	return {
		...(variables !== undefined && {environment: {...variablesIn(variables)}}),
		...(tags !== undefined && {tags: tagsIn(tags)}),
	};
};

const noticesOf = (values: FormData, stored: CronJob['notification_config'] | undefined) => ({
	on_failure: {...stored?.on_failure, enabled: values.get('tell_failure') !== null},
	on_success: {...stored?.on_success, enabled: values.get('tell_success') !== null},
});

const fieldsOf = (values: FormData, job: CronJob | undefined): JobFields => ({
	name: textOf(values, 'name'),
	schedule: textOf(values, 'schedule'),
	timezone: textOf(values, 'timezone'),
	command: String(values.get('command') ?? ''),
	agent_id: textOf(values, 'agent_id') || null,
	working_dir: textOf(values, 'working_dir'),
	timeout_seconds: numberOf(values, 'timeout_seconds') ?? 300,
	concurrency: textOf(values, 'concurrency') as CronJob['concurrency'],
	retry_config: {
		max_retries: numberOf(values, 'retry_config.max_retries') ?? 0,
		intervals: numbersIn(textOf(values, 'retry_config.intervals')),
	},
	...looseFieldsOf(values, job),
	notification_config: noticesOf(values, job?.notification_config),
	is_enabled: values.get('is_enabled') !== null,
});

const overlaps = [
	{value: 'forbid', label: 'Leave it out'},
	{value: 'allow', label: 'Run both'},
	{value: 'replace', label: 'End the one that runs'},
];

const useAgents = () => useResource('agents', async () => (await client.agents.list()).data).data ?? [];

const AgentField = ({job}: {job: CronJob | undefined}) => {
	const agents = useAgents().map(({id, name, status}) => ({
		value: id,
		label: status === 'online' ? name : `${name} (${status})`,
	}));
	// The list may come late, or not at all: saving must not move the job meanwhile.
	const isListed = agents.some(({value}) => value === job?.agent_id);
	const stored = job?.agent_id && !isListed ? [{value: job.agent_id, label: job.agent_name ?? 'The agent it has'}] : [];
	return (
		<SelectField
			key={agents.length}
			name="agent_id"
			label="Agent"
			hint={
				agents.length === 0
					? 'No agent yet. It is the program that runs commands: signalbox login, then signalbox agent run, on the machine where they are to run.'
					: 'On whose host the command runs.'
			}
			value={job?.agent_id ?? ''}
			options={[{value: '', label: 'The default agent'}, ...stored, ...agents]}
		/>
	);
};

const Repeats = ({job}: {job: CronJob | undefined}) => (
	<>
		<SelectField
			name="concurrency"
			label="When the run before still runs"
			options={overlaps}
			value={job?.concurrency ?? 'forbid'}
		/>
		<div class="form-columns">
			<TextField
				name="retry_config.max_retries"
				label="Retries of a run that failed"
				type="number"
				min={0}
				max={10}
				value={job?.retry_config.max_retries ?? 0}
			/>
			<TextField
				name="retry_config.intervals"
				label="Seconds before each"
				hint="The last one repeats."
				pattern="[0-9, ]+"
				value={(job?.retry_config.intervals ?? [30, 60, 300]).join(', ')}
				mono
				required
			/>
		</div>
	</>
);

const Notices = ({config}: {config: CronJob['notification_config'] | undefined}) => (
	<>
		<CheckField name="tell_failure" label="Tell me when it fails" checked={config?.on_failure?.enabled !== false} />
		<CheckField name="tell_success" label="Tell me when it succeeds" checked={config?.on_success?.enabled === true} />
	</>
);

const Surroundings = ({job}: {job: CronJob | undefined}) => (
	<>
		<div class="form-columns">
			<TextField
				name="working_dir"
				label="Folder"
				hint="Empty: the home of the agent's account."
				value={job?.working_dir ?? ''}
				autocomplete="off"
				mono
			/>
			<TextField
				name="timeout_seconds"
				label="Ended after, in seconds"
				type="number"
				min={1}
				max={3600}
				value={job?.timeout_seconds ?? 300}
				required
			/>
		</div>
		<TextAreaField
			name="environment"
			label="Variables of the command"
			hint='One a line: NAME=value, or NAME="value" as in JSON where it has more than a line. A value may hold {{env.KEY}}, a variable of your settings.'
			value={textOfVariables(job)}
			mono
		/>
		<TextField name="tags" label="Tags" hint="To find it by." value={textOfTags(job)} autocomplete="off" />
	</>
);

type Props = Readonly<{job?: CronJob; action: string; onSave: (fields: JobFields) => Promise<unknown>}>;

/** A command and when it runs; everything else has a default. */
export const JobForm = ({job, action, onSave}: Props) => (
	<Form action={action} submit={(values) => onSave(fieldsOf(values, job))}>
		<NameField value={job?.name ?? ''} placeholder="Nightly backup" />
		<ScheduleFields name="schedule" {...(job && {schedule: job.schedule, timezone: job.timezone})} />
		<TextAreaField
			name="command"
			label="Command"
			hint="A line for the shell of the agent's host."
			value={job?.command ?? ''}
			placeholder="./backup.sh"
			rows={3}
			mono
			required
		/>
		<AgentField job={job} />
		<details class="fold">
			<summary>Folder, variables, retries and notices</summary>
			<div class="form fold-body">
				<Surroundings job={job} />
				<Repeats job={job} />
				<Notices config={job?.notification_config} />
			</div>
		</details>
		<CheckField
			name="is_enabled"
			label="Runs by its schedule"
			hint="Otherwise only when somebody starts it."
			checked={job?.is_enabled ?? true}
		/>
	</Form>
);
