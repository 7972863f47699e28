import type {EnvironmentVariable} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {SettingsList, SettingsPage} from './settings-page.tsx';
import {VariableDialog} from './variable-dialog.tsx';
import {scopeWords} from './variable-scopes.ts';

type RowProps = Readonly<{variable: EnvironmentVariable; onChange: () => void; onDeleted: () => void}>;

const Row = ({variable, onChange, onDeleted}: RowProps) => (
	<tr>
		<td>
			<code class="strong">{variable.key}</code>
			{variable.description !== null && <div class="small soft">{variable.description}</div>}
		</td>
		<td data-label="Used in">{scopeWords[variable.scope]}</td>
		<td data-label="Of">{variable.team_id === undefined ? 'You' : 'A team'}</td>
		<td data-label="Changed">
			<RelativeTime instant={variable.updated_at} />
		</td>
		<td class="actions">
			<button type="button" class="button quiet small" onClick={onChange}>
				Change
			</button>
			<DeleteButton
				small
				name={variable.key}
				onDelete={() => client.environment.delete({path: {id: variable.id}}).then(onDeleted)}
			>
				Whatever names it fails from then on, and says so.
			</DeleteButton>
		</td>
	</tr>
);

const Nothing = () => (
	<Empty icon="variable" title="No variable yet">
		<p>
			Keep secrets and addresses here, and write <code>{'{{env.KEY}}'}</code> where they are needed: in headers for an
			upstream, in webhooks, in the commands of jobs. A value is encrypted, and nobody is ever shown it again.
		</p>
	</Empty>
);

export default () => {
	const list = useResource('variables', async () => (await client.environment.list()).data);
	const [asked, ask] = useState<'new' | EnvironmentVariable>();
	const close = (): void => ask(undefined);
	return (
		<SettingsPage
			tab="/settings"
			action={
				<button type="button" class="button primary" onClick={() => ask('new')}>
					<Icon name="add" />
					New variable
				</button>
			}
		>
			<SettingsList
				of={list}
				label="Loading variables"
				columns={['Variable', 'Used in', 'Of', 'Changed']}
				empty={<Nothing />}
				row={(variable) => (
					<Row key={variable.id} variable={variable} onChange={() => ask(variable)} onDeleted={list.reload} />
				)}
			/>
			{asked && <VariableDialog {...(asked !== 'new' && {variable: asked})} onClose={close} onDone={list.reload} />}
		</SettingsPage>
	);
};
