import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {CodeLine} from '../parts/copy-button.tsx';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {Empty} from '../parts/empty.tsx';
import {CheckField, Form, TextField, textOf} from '../parts/form.tsx';
import {Pill, type Tone} from '../parts/pill.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {SettingsList, SettingsPage} from './settings-page.tsx';

type Agent = Awaited<ReturnType<typeof client.agents.list>>['data'][number];

const states: Readonly<Record<Agent['status'], readonly [Tone, string]>> = {
	online: ['good', 'Online'],
	draining: ['warn', 'Draining'],
	offline: ['idle', 'Offline'],
};

const Row = ({agent, onChange, onDeleted}: {agent: Agent; onChange: () => void; onDeleted: () => void}) => {
	const [tone, word] = states[agent.status];
	return (
		<tr>
			<td>
				<span class="strong">{agent.name}</span>
				{agent.is_default && <span class="small faint"> default</span>}
				<div class="small soft">
					{agent.hostname}, {agent.os} {agent.arch}
				</div>
			</td>
			<td data-label="State">
				<Pill tone={tone}>{word}</Pill>
			</td>
			<td data-label="Runs">
				{agent.running} of {agent.capacity}
			</td>
			<td data-label="Seen">
				<RelativeTime instant={agent.last_seen_at} />
			</td>
			<td class="actions">
				<button type="button" class="button quiet small" onClick={onChange}>
					Change
				</button>
				<DeleteButton
					small
					name={agent.name}
					onDelete={() => client.agents.delete({path: {id: agent.id}}).then(onDeleted)}
				>
					Its jobs wait for another agent.
				</DeleteButton>
			</td>
		</tr>
	);
};

const Nothing = () => (
	<Empty icon="agent" title="No agent yet">
		<p>An agent is a program on a host of yours that runs cron jobs there. On that host:</p>
		<CodeLine text={`signalbox login --url ${location.origin} --browser`} />
		<CodeLine text="signalbox agent run" />
	</Empty>
);

const ChangeDialog = ({agent, onClose, onDone}: {agent: Agent; onClose: () => void; onDone: () => void}) => (
	<Dialog title={`Change ${agent.name}`} onClose={onClose}>
		<Form
			action="Save"
			onCancel={onClose}
			submit={async (values) => {
				const makeDefault = values.has('is_default') && !agent.is_default;
				const body = {name: textOf(values, 'name'), ...(makeDefault && {is_default: true})};
				await client.agents.update({path: {id: agent.id}, body});
				onDone();
				onClose();
			}}
		>
			<TextField name="name" label="Name" value={agent.name} required maxLength={100} />
			{!agent.is_default && (
				<CheckField name="is_default" label="The default agent" hint="Runs the jobs that name none." />
			)}
		</Form>
	</Dialog>
);

export default () => {
	const list = useResource('agents', async () => (await client.agents.list()).data, ['cron.execution']);
	const [changed, change] = useState<Agent>();
	return (
		<SettingsPage tab="/settings/agents">
			<SettingsList
				of={list}
				label="Loading agents"
				columns={['Agent', 'State', 'Runs', 'Seen']}
				empty={<Nothing />}
				row={(agent) => <Row key={agent.id} agent={agent} onChange={() => change(agent)} onDeleted={list.reload} />}
			/>
			{changed && <ChangeDialog agent={changed} onClose={() => change(undefined)} onDone={list.reload} />}
		</SettingsPage>
	);
};
