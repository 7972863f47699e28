import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {SelectField, TextField, textOf} from '../parts/form.tsx';
import type {EndpointFields} from './endpoint-fields.ts';

type Verification = NonNullable<EndpointFields['verification']>;
type Type = Verification['type'];

type FieldOf = Readonly<{
	name: string;
	label: string;
	secret?: true;
	number?: true;
	optional?: true;
	exact?: true;
	value?: string;
}>;

const secret: FieldOf = {name: 'secret', label: 'Secret that the sender signs with', secret: true};
const tolerance: FieldOf = {
	name: 'tolerance_seconds',
	label: 'How old a signature may be, in seconds',
	number: true,
	value: '300',
};

const presets: Readonly<Record<Type, Readonly<{label: string; fields: readonly FieldOf[]}>>> = {
	none: {label: 'Take webhooks from anybody who knows the address', fields: []},
	standard_webhooks: {label: 'Standard Webhooks', fields: [secret, tolerance]},
	github: {label: 'GitHub', fields: [secret]},
	stripe: {label: 'Stripe', fields: [secret, tolerance]},
	slack: {label: 'Slack', fields: [secret, tolerance]},
	shopify: {label: 'Shopify', fields: [secret]},
	meta: {
		label: 'Meta (Facebook, Instagram, WhatsApp)',
		fields: [secret, {name: 'verify_token', label: 'Verify token of the subscription', secret: true}],
	},
	zoom: {label: 'Zoom', fields: [secret, tolerance]},
	hmac: {
		label: 'Another signature (HMAC)',
		fields: [
			secret,
			{name: 'header', label: 'Header that holds the signature'},
			{name: 'algorithm', label: 'Algorithm: sha1, sha256 or sha512', value: 'sha256'},
			{name: 'encoding', label: 'Written as hex or base64', value: 'hex'},
			{name: 'prefix', label: 'What stands before it in the header', optional: true, exact: true},
		],
	},
	basic: {
		label: 'User name and password',
		fields: [
			{name: 'username', label: 'User name'},
			{name: 'password', label: 'Password', secret: true},
		],
	},
	api_key: {
		label: 'A key in a header',
		fields: [
			{name: 'header', label: 'Header', value: 'x-api-key'},
			{name: 'key', label: 'Key', secret: true},
		],
	},
};

const isType = (text: string): text is Type => text in presets;

/** What the form says of who may send. */
export const verificationOf = (values: FormData): Verification => {
	const type = textOf(values, 'verification.type');
	if (!isType(type)) return {type: 'none'};
	const fields = presets[type].fields.map(({name, number, exact, secret: isSecret}) => {
		const field = `verification.${name}`;
		// A blank may be part of it.
		const text = exact || isSecret ? String(values.get(field) ?? '') : textOf(values, field);
		return [name, number ? Number(text) : text] as const;
	});
	// Which fields go with which type stands in the table above.
	return {type, ...Object.fromEntries(fields)} as Verification;
};

type Props = Readonly<{stored: WebhookEndpoint['verification'] | undefined}>;

/** Who may send, as the providers sign. */
export const VerificationFields = ({stored}: Props) => {
	const [type, setType] = useState(stored?.type ?? 'none');
	const known: Readonly<Record<string, unknown>> = stored?.type === type ? stored : {};
	return (
		<>
			<SelectField
				name="verification.type"
				label="Who sends"
				hint="With a preset, webhooks that are not signed as the provider signs are refused."
				value={type}
				onInput={setType}
				options={Object.entries(presets).map(([value, {label}]) => ({value, label}))}
			/>
			{isType(type) &&
				presets[type].fields.map(({name, label, number, optional, value, secret: isSecret}) => (
					<TextField
						key={`${type} ${name}`}
						name={`verification.${name}`}
						label={label}
						{...(isSecret && {
							hint: 'Best a variable of your settings: {{env.KEY}}. A secret that is masked stays as it is.',
						})}
						type={number ? 'number' : 'text'}
						value={String(known[name] ?? value ?? '')}
						required={!optional}
						autocomplete="off"
						mono
					/>
				))}
		</>
	);
};
