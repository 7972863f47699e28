import type {RoutingRule, SignalboxClient} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog.tsx';
import {CheckField, Form, NameField, SelectField, TextAreaField, TextField, textOf} from '../parts/form.tsx';
import {linesOfPairs, pairsOf} from '../parts/line-pairs.ts';
import {client} from '../session/client.ts';
import {operatorWords} from './step-kinds.ts';

type RuleFields = Parameters<SignalboxClient['webhook']['routingRules']['create']>[0]['body'];

const sources = [
	{value: 'always', label: 'Always'},
	{value: 'header', label: 'When a header…'},
	{value: 'body', label: 'When a field of the body…'},
	{value: 'method', label: 'When the method…'},
];

const conditionOf = (values: FormData): Partial<RuleFields> => {
	const source = textOf(values, 'condition_source') as 'header' | 'body' | 'method' | 'always';
	if (source === 'always') return {condition_source: null};
	const operator = textOf(values, 'condition_operator') as NonNullable<RoutingRule['condition_operator']>;
	return {
		condition_source: source,
		condition_field: source === 'method' ? null : textOf(values, 'condition_field'),
		condition_operator: operator,
		condition_value: operator === 'exists' ? null : String(values.get('condition_value') ?? ''),
	};
};

const fieldsOf = (values: FormData): RuleFields => ({
	name: textOf(values, 'name'),
	destination_url: textOf(values, 'destination_url'),
	is_active: values.get('is_active') !== null,
	...conditionOf(values),
	headers_override: {...pairsOf(textOf(values, 'headers_override'), ':')},
	transform_body: textOf(values, 'transform_body') || null,
});

const fieldHints = {header: 'Its name: x-github-event', body: 'A JSONPath: $.order.status'};

const ConditionFields = ({rule}: {rule: RoutingRule | undefined}) => {
	const [source, setSource] = useState<string>(rule?.condition_source ?? 'always');
	const [operator, setOperator] = useState<string>(rule?.condition_operator ?? 'equals');
	return (
		<>
			<SelectField name="condition_source" label="Goes there" options={sources} value={source} onInput={setSource} />
			{(source === 'header' || source === 'body') && (
				<TextField
					name="condition_field"
					label="Which"
					hint={fieldHints[source]}
					value={rule?.condition_field ?? ''}
					autocomplete="off"
					mono
					required
				/>
			)}
			{source !== 'always' && (
				<div class="form-columns">
					<SelectField
						name="condition_operator"
						label="Condition"
						value={operator}
						onInput={setOperator}
						options={Object.entries(operatorWords).map(([value, label]) => ({value, label}))}
					/>
					{operator !== 'exists' && (
						<TextField
							name="condition_value"
							label="Value"
							value={rule?.condition_value ?? ''}
							autocomplete="off"
							mono
						/>
					)}
				</div>
			)}
		</>
	);
};

const ChangeFields = ({rule}: {rule: RoutingRule | undefined}) => (
	<details class="fold">
		<summary>What changes on the way there</summary>
		<div class="stack">
			<TextAreaField
				name="headers_override"
				label="Headers to set"
				hint="One a line: X-Source: signalbox"
				value={linesOfPairs(rule?.headers_override ?? {}, ': ')}
				mono
			/>
			<TextAreaField
				name="transform_body"
				label="Body, as a Liquid template"
				hint={'Empty: as it is. {"id": {{ body.order.id }}} makes a new one.'}
				value={rule?.transform_body ?? ''}
				mono
			/>
		</div>
	</details>
);

type Props = Readonly<{endpointId: string; rule: RoutingRule | undefined; onSaved: () => void; onClose: () => void}>;

export const RuleDialog = ({endpointId, rule, onSaved, onClose}: Props) => {
	const submit = async (values: FormData): Promise<void> => {
		const {routingRules} = client.webhook;
		const body = fieldsOf(values);
		if (rule === undefined) await routingRules.create({path: {endpoint_id: endpointId}, body});
		else await routingRules.update({path: {endpoint_id: endpointId, rule_id: rule.id}, body});
		onSaved();
		onClose();
	};
	return (
		<Dialog title={rule === undefined ? 'Add a rule' : `Change ${rule.name}`} onClose={onClose}>
			<Form action={rule === undefined ? 'Add rule' : 'Save rule'} submit={submit} onCancel={onClose}>
				<NameField value={rule?.name ?? ''} />
				<TextField
					name="destination_url"
					label="Destination"
					value={rule?.destination_url ?? ''}
					placeholder="https://example.com/paid-orders"
					autocomplete="off"
					mono
					required
				/>
				<ConditionFields rule={rule} />
				<ChangeFields rule={rule} />
				<CheckField name="is_active" label="Active" checked={rule?.is_active ?? true} />
			</Form>
		</Dialog>
	);
};
