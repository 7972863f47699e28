import type {CronChain, CronJob, SignalboxClient} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {CheckField, Form, NameField, SelectField, TextField, textOf} from '../parts/form.tsx';
import {client} from '../session/client.ts';
import {ChainStepsField, type WrittenStep} from './chain-steps-field.tsx';
import {ScheduleFields} from './schedule-fields.tsx';

export type ChainFields = Parameters<SignalboxClient['cron']['chains']['create']>[0]['body'];

const triggers = [
	{value: 'manual', label: 'Only a person'},
	{value: 'schedule', label: 'A schedule'},
	{value: 'webhook', label: 'Each webhook of an endpoint'},
];

const fieldsOf = (values: FormData, steps: readonly WrittenStep[]): ChainFields => {
	const trigger_type = textOf(values, 'trigger_type') as CronChain['trigger_type'];
	return {
		name: textOf(values, 'name'),
		description: textOf(values, 'description') || null,
		trigger_type,
		trigger_schedule: trigger_type === 'schedule' ? textOf(values, 'trigger_schedule') : null,
		...(trigger_type === 'schedule' && {timezone: textOf(values, 'timezone')}),
		trigger_endpoint_id: trigger_type === 'webhook' ? textOf(values, 'trigger_endpoint_id') : null,
		is_enabled: values.get('is_enabled') !== null,
		steps: steps.map(({key: _key, ...step}, step_order) => ({...step, step_order})),
	};
};

const EndpointField = ({chosen}: {chosen: string | null}) => {
	const {data = []} = useResource('endpoints', async () => (await client.webhook.endpoints.list()).data);
	return (
		<SelectField
			name="trigger_endpoint_id"
			label="Endpoint"
			hint={data.length === 0 ? 'You have no endpoint yet: make one under Webhooks.' : ''}
			value={chosen ?? ''}
			options={data.map(({id, name}) => ({value: id, label: name}))}
		/>
	);
};

const Trigger = ({chain}: {chain: CronChain | undefined}) => {
	const [type, setType] = useState<string>(chain?.trigger_type ?? 'manual');
	return (
		<>
			<SelectField name="trigger_type" label="Started by" options={triggers} value={type} onInput={setType} />
			{type === 'schedule' && (
				<ScheduleFields
					name="trigger_schedule"
					{...(chain?.trigger_schedule && {schedule: chain.trigger_schedule, timezone: chain.timezone})}
				/>
			)}
			{type === 'webhook' && <EndpointField chosen={chain?.trigger_endpoint_id ?? null} />}
		</>
	);
};

const firstSteps = (jobs: readonly CronJob[], chain: CronChain | undefined): readonly WrittenStep[] => {
	const stored = chain?.steps.map(({cron_job_id, condition_type, timeout_seconds}, key) => ({
		...{key, cron_job_id, condition_type, timeout_seconds},
	}));
	return stored ?? [{key: 0, cron_job_id: jobs[0]?.id ?? '', condition_type: 'on_success', timeout_seconds: 3600}];
};

type Props = Readonly<{
	jobs: readonly CronJob[];
	chain?: CronChain;
	action: string;
	onSave: (fields: ChainFields) => Promise<unknown>;
}>;

export const ChainForm = ({jobs, chain, action, onSave}: Props) => {
	const [steps, setSteps] = useState(() => firstSteps(jobs, chain));
	return (
		<Form action={action} submit={(values) => onSave(fieldsOf(values, steps))}>
			<NameField value={chain?.name ?? ''} placeholder="Nightly export" />
			<TextField
				name="description"
				label="What it is for"
				value={chain?.description ?? ''}
				maxLength={2000}
				autocomplete="off"
			/>
			<ChainStepsField jobs={jobs} steps={steps} onChange={setSteps} />
			<Trigger chain={chain} />
			<CheckField
				name="is_enabled"
				label="Enabled"
				hint="Otherwise only a person starts it."
				checked={chain?.is_enabled ?? true}
			/>
		</Form>
	);
};
