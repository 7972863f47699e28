import type {EnvironmentVariable} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog.tsx';
import {CheckField, Form, SelectField, TextField, textOf} from '../parts/form.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {session} from '../session/session.ts';
import {scopeWords} from './variable-scopes.ts';

type Props = Readonly<{variable?: EnvironmentVariable; onClose: () => void; onDone: () => void}>;

const scopes = Object.entries(scopeWords).map(([value, label]) => ({value, label}));

const sharedTeams = () => {
	const state = session.value;
	return state.state === 'signed-in' ? state.teams.filter(({is_personal}) => !is_personal) : [];
};

const sharedFieldsOf = (values: FormData) => ({
	scope: textOf(values, 'scope') as EnvironmentVariable['scope'],
	description: textOf(values, 'description'),
});

const create = async (values: FormData): Promise<void> => {
	const team_id = textOf(values, 'team_id');
	await client.environment.create({
		body: {
			key: textOf(values, 'key'),
			value: String(values.get('value') ?? ''),
			is_secret: values.has('is_secret'),
			...sharedFieldsOf(values),
			...(team_id !== '' && {team_id}),
		},
	});
};

const update = async (id: string, values: FormData): Promise<void> => {
	const value = String(values.get('value') ?? '');
	await client.environment.update({path: {id}, body: {...sharedFieldsOf(values), ...(value !== '' && {value})}});
};

const Value = ({variable}: Pick<Props, 'variable'>) => {
	const [secret, setSecret] = useState(variable?.is_secret ?? true);
	return (
		<>
			<TextField
				name="value"
				label={variable ? 'New value' : 'Value'}
				type={secret ? 'password' : 'text'}
				autocomplete="off"
				hint={variable ? 'Left empty, the value stays. Nobody can read it.' : 'Nobody is shown it again.'}
				required={!variable}
				mono
			/>
			{!variable && (
				<CheckField
					name="is_secret"
					label="Hide it while I type"
					hint="It is encrypted either way."
					checked={secret}
					onInput={setSecret}
				/>
			)}
		</>
	);
};

/** Makes a variable, or changes one. */
export const VariableDialog = ({variable, onClose, onDone}: Props) => {
	const teams = sharedTeams();
	const submit = async (values: FormData): Promise<void> => {
		await (variable ? update(variable.id, values) : create(values));
		showDone(variable ? `Changed: ${variable.key}` : `Made: ${textOf(values, 'key')}`);
		onDone();
		onClose();
	};
	return (
		<Dialog title={variable ? `Change ${variable.key}` : 'New variable'} onClose={onClose}>
			<Form action={variable ? 'Save' : 'Make it'} submit={submit} onCancel={onClose}>
				{!variable && (
					<TextField
						name="key"
						label="Key"
						placeholder="GITHUB_TOKEN"
						pattern="[A-Za-z_][A-Za-z0-9_]*"
						maxLength={128}
						hint="Letters, digits and underscores. It cannot be changed later."
						autocomplete="off"
						required
						mono
						autofocus
					/>
				)}
				<Value variable={variable} />
				<SelectField name="scope" label="Used in" options={scopes} value={variable?.scope ?? 'all'} />
				<TextField name="description" label="Description" value={variable?.description ?? ''} maxLength={1000} />
				{!variable && teams.length > 0 && (
					<SelectField
						name="team_id"
						label="Of"
						options={[
							{value: '', label: 'You alone'},
							...teams.map(({id, name}) => ({value: id, label: `Team ${name}`})),
						]}
					/>
				)}
			</Form>
		</Dialog>
	);
};
