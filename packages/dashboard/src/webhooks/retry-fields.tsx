import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {SelectField, TextField, textOf} from '../parts/form.tsx';

type RetryConfig = WebhookEndpoint['retry_config'];

const choices = [
	{value: 'default', label: 'Nine times over about three days'},
	{value: 'never', label: 'Never'},
	{value: 'own', label: 'On my own schedule'},
];

const choiceOf = (config: RetryConfig): string => {
	if (config === null) return 'default';
	return config.max_retries === 0 ? 'never' : 'own';
};

const numbersIn = (text: string): number[] =>
	text.split(/[\s,;]+/).flatMap((part) => (part === '' ? [] : [Number(part)]));

/** What the form says of trying again. */
export const retryOf = (values: FormData): RetryConfig => {
	const choice = textOf(values, 'retry');
	if (choice === 'default') return null;
	if (choice === 'never') return {max_retries: 0, intervals: [60]};
	return {
		max_retries: Number(textOf(values, 'retry_config.max_retries')),
		intervals: numbersIn(textOf(values, 'retry_config.intervals')),
	};
};

/** When a delivery that failed is tried again. */
export const RetryFields = ({stored}: {stored: RetryConfig}) => {
	const [choice, setChoice] = useState(choiceOf(stored));
	return (
		<>
			<SelectField
				name="retry"
				label="When a delivery fails, try again"
				options={choices}
				value={choice}
				onInput={setChoice}
			/>
			{choice === 'own' && (
				<div class="form-columns">
					<TextField
						name="retry_config.max_retries"
						label="How often"
						type="number"
						min={1}
						max={50}
						value={stored?.max_retries || 3}
						required
					/>
					<TextField
						name="retry_config.intervals"
						label="Seconds before each"
						hint="The last one repeats."
						value={(stored?.intervals ?? [30, 300, 3600]).join(', ')}
						pattern="[0-9,; ]+"
						mono
						required
					/>
				</div>
			)}
		</>
	);
};
