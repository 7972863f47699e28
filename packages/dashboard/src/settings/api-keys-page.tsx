import type {ApiKey, CreatedApiKey} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {Empty} from '../parts/empty.tsx';
import {CheckField, Form, TextField, textOf} from '../parts/form.tsx';
import {Icon} from '../parts/icon.tsx';
import {ShownOnce} from '../parts/shown-once.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {SettingsList, SettingsPage} from './settings-page.tsx';

type Scope = ApiKey['scopes'][number];

const scopes: readonly Readonly<{scope: Scope; label: string; hint: string}>[] = [
	{scope: 'proxy', label: 'Call tools', hint: 'For an agent: it reaches MCP servers, and nothing else.'},
	{scope: 'api', label: 'Use the API', hint: 'Everything that you can do, except deciding approvals.'},
	{scope: 'approvals', label: 'Decide approvals', hint: 'For a script that stands in for you. Never for an agent.'},
	{scope: 'agent', label: 'Run cron jobs', hint: 'For the agent on a host.'},
];

const create = async (values: FormData): Promise<CreatedApiKey> => {
	const expires = textOf(values, 'expires_at');
	return client.apiKeys.create({
		body: {
			name: textOf(values, 'name'),
			scopes: scopes.map(({scope}) => scope).filter((scope) => values.has(scope)),
			...(expires !== '' && {expires_at: new Date(expires).toISOString()}),
		},
	});
};

const NewKeyDialog = ({onClose, onMade}: {onClose: () => void; onMade: (key: CreatedApiKey) => void}) => (
	<Dialog title="New API key" onClose={onClose}>
		<Form action="Make the key" submit={async (values) => onMade(await create(values))} onCancel={onClose}>
			<TextField name="name" label="Name" placeholder="Claude on my laptop" maxLength={100} required autofocus />
			<fieldset class="stack tight">
				<legend class="label">It may</legend>
				{scopes.map(({scope, label, hint}) => (
					<CheckField key={scope} name={scope} label={label} hint={hint} checked={scope === 'proxy'} />
				))}
			</fieldset>
			<TextField name="expires_at" label="Ends" type="datetime-local" hint="Empty: when you delete it." />
		</Form>
	</Dialog>
);

const Row = ({apiKey, onDeleted}: {apiKey: ApiKey; onDeleted: () => void}) => (
	<tr>
		<td>
			<span class="strong">{apiKey.name}</span>
			<div>
				<code class="small faint">{apiKey.masked_key}</code>
			</div>
		</td>
		<td data-label="May">
			{scopes
				.filter(({scope}) => apiKey.scopes.includes(scope))
				.map(({label}) => label)
				.join(', ')}
		</td>
		<td data-label="Last used">
			{apiKey.last_used_at === null ? 'Never' : <RelativeTime instant={apiKey.last_used_at} />}
		</td>
		<td data-label="Ends">{apiKey.expires_at === null ? 'Never' : <RelativeTime instant={apiKey.expires_at} />}</td>
		<td class="actions">
			<DeleteButton
				small
				name={apiKey.name}
				onDelete={() => client.apiKeys.delete({path: {id: apiKey.id}}).then(onDeleted)}
			>
				Whoever uses it is refused from this moment on.
			</DeleteButton>
		</td>
	</tr>
);

const Nothing = () => (
	<Empty icon="key" title="No API key yet">
		<p>
			A key lets a script, the command line or an agent act for you, within what you allow. Give agents that call tools
			a key that may call tools and nothing else: then they can never approve themselves.
		</p>
	</Empty>
);

type Asked = 'new' | Readonly<{made: CreatedApiKey}>;

export default () => {
	const list = useResource('api-keys', async () => (await client.apiKeys.list()).data);
	const [asked, ask] = useState<Asked>();
	const close = (): void => ask(undefined);
	const show = (made: CreatedApiKey): void => {
		list.reload();
		ask({made});
	};
	return (
		<SettingsPage
			tab="/settings/api-keys"
			action={
				<button type="button" class="button primary" onClick={() => ask('new')}>
					<Icon name="add" />
					New key
				</button>
			}
		>
			<SettingsList
				of={list}
				label="Loading API keys"
				columns={['Key', 'May', 'Last used', 'Ends']}
				empty={<Nothing />}
				row={(apiKey) => <Row key={apiKey.id} apiKey={apiKey} onDeleted={list.reload} />}
			/>
			{asked === 'new' && <NewKeyDialog onClose={close} onMade={show} />}
			{typeof asked === 'object' && (
				<ShownOnce title={`${asked.made.name} is made`} text={asked.made.key} onClose={close}>
					Take the key along now: it is shown this once.
				</ShownOnce>
			)}
		</SettingsPage>
	);
};
