import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {CheckField, Form, NameField, numberOf, TextAreaField, TextField, textOf} from '../parts/form.tsx';
import type {EndpointFields} from './endpoint-fields.ts';
import {RetryFields, retryOf} from './retry-fields.tsx';
import {VerificationFields, verificationOf} from './verification-fields.tsx';

const responseOf = (values: FormData): WebhookEndpoint['response'] => {
	const status = values.get('own_response') === null ? undefined : numberOf(values, 'response.status');
	return status === undefined ? null : {status, body: String(values.get('response.body') ?? '')};
};

const fieldsOf = (values: FormData): EndpointFields => ({
	name: textOf(values, 'name'),
	destination_url: textOf(values, 'destination_url'),
	verification: verificationOf(values),
	retry_config: retryOf(values),
	response: responseOf(values),
	is_active: values.get('is_active') !== null,
});

const ResponseFields = ({stored}: {stored: WebhookEndpoint['response']}) => {
	const [isOwn, setOwn] = useState(stored !== null);
	return (
		<>
			<CheckField
				name="own_response"
				label="Answer senders in my own words"
				hint="Otherwise they get 202 with the id of the event."
				checked={isOwn}
				onInput={setOwn}
			/>
			{isOwn && (
				<>
					<TextField
						name="response.status"
						label="Status"
						type="number"
						min={200}
						max={299}
						value={stored?.status ?? 200}
						required
					/>
					<TextAreaField name="response.body" label="Body" value={stored?.body ?? 'ok'} mono />
				</>
			)}
		</>
	);
};

type Props = Readonly<{
	endpoint?: WebhookEndpoint;
	action: string;
	onSave: (fields: EndpointFields) => Promise<unknown>;
}>;

/** Everything that an endpoint is, but for its steps and rules. */
export const EndpointForm = ({endpoint, action, onSave}: Props) => (
	<Form action={action} submit={(values) => onSave(fieldsOf(values))}>
		<NameField value={endpoint?.name ?? ''} placeholder="Orders" />
		<TextField
			name="destination_url"
			label="Destination"
			hint="Where webhooks are delivered. Path and query may hold {{env.KEY}}."
			value={endpoint?.destination_url ?? ''}
			placeholder="https://example.com/hooks"
			autocomplete="off"
			mono
			required
		/>
		<VerificationFields stored={endpoint?.verification} />
		<RetryFields stored={endpoint?.retry_config ?? null} />
		<ResponseFields stored={endpoint?.response ?? null} />
		<CheckField
			name="is_active"
			label="Active"
			hint="An endpoint that is not active refuses what is sent to it."
			checked={endpoint?.is_active ?? true}
		/>
	</Form>
);
