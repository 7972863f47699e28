import type {Middleware} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog.tsx';
import {CheckField, Form, NameField, SelectField, TextAreaField, TextField, textOf} from '../parts/form.tsx';
import {client} from '../session/client.ts';
import {configOf, removeText, setText} from './step-config.ts';
import {operatorWords, type StepConfig, type StepType, stepKinds} from './step-kinds.ts';

type FieldsProps = Readonly<{config: StepConfig}>;

const fieldHint = (
	<>
		<code>headers.x-kind</code>, <code>query.source</code>, <code>method</code>, <code>body.order.status</code>, or a
		JSONPath such as <code>$.items[0].id</code>
	</>
);

const textFrom = (value: unknown): string => (value === undefined ? '' : String(value));

const FilterFields = ({config}: FieldsProps) => {
	const [operator, setOperator] = useState(textFrom(config.operator) || 'equals');
	return (
		<>
			<TextField
				name="config.field"
				label="Stop the webhook when"
				hint={fieldHint}
				value={textFrom(config.field)}
				placeholder="body.order.status"
				mono
				required
			/>
			<div class="form-columns">
				<SelectField
					name="config.operator"
					label="Condition"
					value={operator}
					onInput={setOperator}
					options={Object.entries(operatorWords).map(([value, label]) => ({value, label}))}
				/>
				{operator !== 'exists' && (
					<TextField name="config.value" label="Value" value={textFrom(config.value)} autocomplete="off" mono />
				)}
			</div>
		</>
	);
};

const HeaderFields = ({config}: FieldsProps) => (
	<>
		<TextAreaField
			name="config.set"
			label="Set"
			hint="One header a line. A value may hold {{env.KEY}}, a variable of your settings."
			value={setText('transform_headers', config)}
			placeholder="X-Tier: gold"
			mono
		/>
		<TextAreaField
			name="config.remove"
			label="Remove"
			hint="One name a line."
			value={removeText(config)}
			placeholder="X-Internal"
			mono
		/>
	</>
);

const BodyFields = ({config}: FieldsProps) => (
	<>
		<TextAreaField
			name="config.set"
			label="Set"
			hint="One field a line: where it is, an equals sign, and a text or JSON."
			value={setText('transform_body', config)}
			placeholder="customer.tier = gold"
			mono
		/>
		<TextAreaField
			name="config.remove"
			label="Remove"
			hint="One field a line."
			value={removeText(config)}
			placeholder="customer.email"
			mono
		/>
	</>
);

const DelayFields = ({config}: FieldsProps) => (
	<TextField
		name="config.seconds"
		label="Seconds to wait"
		hint="Up to a day: 86400."
		type="number"
		min={0}
		max={86_400}
		value={textFrom(config.seconds ?? 60)}
		required
	/>
);

const DeduplicateFields = ({config}: FieldsProps) => (
	<>
		<TextField
			name="config.key"
			label="What is the same in duplicates"
			hint={fieldHint}
			value={textFrom(config.key)}
			placeholder="headers.x-delivery-id"
			mono
			required
		/>
		<TextField
			name="config.ttl"
			label="Seconds to remember it"
			hint="Up to 30 days: 2592000."
			type="number"
			min={1}
			max={2_592_000}
			value={textFrom(config.ttl ?? 86_400)}
			required
		/>
	</>
);

const fieldsOf = {
	filter: FilterFields,
	transform_headers: HeaderFields,
	transform_body: BodyFields,
	delay: DelayFields,
	deduplicate: DeduplicateFields,
};

type Props = Readonly<{
	endpointId: string;
	type: StepType;
	/** Undefined: a new one. */
	step?: Middleware | undefined;
	onSaved: () => void;
	onClose: () => void;
}>;

/** A step is made or changed here; what it does is seen in the test beside the list. */
export const StepDialog = ({endpointId, type, step, onSaved, onClose}: Props) => {
	const Fields = fieldsOf[type];
	const submit = async (values: FormData): Promise<void> => {
		const body = {
			name: textOf(values, 'name'),
			config: configOf(type, values),
			is_active: values.get('is_active') !== null,
		};
		const {middlewares} = client.webhook;
		if (step === undefined) await middlewares.create({path: {endpoint_id: endpointId}, body: {type, ...body}});
		else await middlewares.update({path: {endpoint_id: endpointId, middleware_id: step.id}, body});
		onSaved();
		onClose();
	};
	const {name, purpose} = stepKinds[type];
	return (
		<Dialog title={step === undefined ? `Add a step: ${name}` : `Change ${step.name}`} onClose={onClose}>
			<p class="soft">{purpose}</p>
			<Form action={step === undefined ? 'Add step' : 'Save step'} submit={submit} onCancel={onClose}>
				<NameField value={step?.name ?? name} />
				<Fields config={step?.config ?? {}} />
				<CheckField
					name="is_active"
					label="Active"
					hint="A step that is not active is passed by."
					checked={step?.is_active ?? true}
				/>
			</Form>
		</Dialog>
	);
};
