import type {NotificationChannel} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {Pill} from '../parts/pill.tsx';
import {ShownOnce} from '../parts/shown-once.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {ChannelDialog, channelEvents} from './channel-dialog.tsx';
import {ChannelTest} from './channel-test.tsx';
import {notificationKinds} from './notification-kinds.ts';
import {SettingsList, SettingsPage} from './settings-page.tsx';

const eventWords = ({events}: NotificationChannel): string =>
	events.length === channelEvents.length ? 'Everything' : events.map((event) => notificationKinds[event][1]).join(', ');

type RowProps = Readonly<{channel: NotificationChannel; onEdit: () => void; onChanged: () => void}>;

const Row = ({channel, onEdit, onChanged}: RowProps) => {
	const {id, name, url, type, is_active} = channel;
	const path = {id};
	const toggle = (): void =>
		void client.notificationChannels.update({path, body: {is_active: !is_active}}).then(onChanged, showProblem);
	return (
		<tr>
			<td>
				<span class="strong">
					<VisibleText text={name} />
				</span>
				<div>
					<code class="small faint">
						<VisibleText text={url} />
					</code>
				</div>
			</td>
			<td data-label="Kind">{type === 'slack' ? 'Slack' : 'Webhook'}</td>
			<td data-label="Told of">{eventWords(channel)}</td>
			<td data-label="State">
				<Pill tone={is_active ? 'good' : 'idle'}>{is_active ? 'Active' : 'Paused'}</Pill>
			</td>
			<td class="actions">
				<ChannelTest channel={channel} />
				<button type="button" class="button quiet small" onClick={toggle}>
					{is_active ? 'Pause' : 'Resume'}
				</button>
				<button type="button" class="button quiet small" onClick={onEdit}>
					Change
				</button>
				<DeleteButton small name={name} onDelete={() => client.notificationChannels.delete({path}).then(onChanged)}>
					Nothing is told there any more, and what waits to be delivered there is given up.
				</DeleteButton>
			</td>
		</tr>
	);
};

const Nothing = () => (
	<Empty icon="bell" title="No channel yet">
		<p>
			A channel takes your notifications to where you look anyway: a Slack channel, or a program of yours. A call that
			waits comes with the link to decide it.
		</p>
	</Empty>
);

/** One secret signs whatever a person is told of; so it is not that of a channel. */
const Secret = () => {
	const [isAsked, ask] = useState(false);
	const [made, show] = useState<string>();
	return (
		<div class="row">
			<p class="small soft">Webhooks are signed with one secret of yours (Standard Webhooks).</p>
			<button type="button" class="button small" onClick={() => ask(true)}>
				New signing secret
			</button>
			{isAsked && (
				<ConfirmDialog
					title="Make a new signing secret?"
					action="Make a new one"
					onConfirm={async () => show((await client.notifications.rotateSecret()).signing_secret)}
					onClose={() => ask(false)}
				>
					If there was one, it signs beside the new one for 24 hours. Give your programs the new one by then.
				</ConfirmDialog>
			)}
			{made !== undefined && (
				<ShownOnce title="Your signing secret" text={made} onClose={() => show(undefined)}>
					Take the secret along now: it is shown this once.
				</ShownOnce>
			)}
		</div>
	);
};

export default () => {
	const list = useResource('notification-channels', async () => (await client.notificationChannels.list()).data);
	const [edited, edit] = useState<'new' | NotificationChannel>();
	return (
		<SettingsPage
			tab="/settings/channels"
			action={
				<button type="button" class="button primary" onClick={() => edit('new')}>
					<Icon name="add" />
					New channel
				</button>
			}
		>
			<SettingsList
				of={list}
				label="Loading channels"
				columns={['Channel', 'Kind', 'Told of', 'State']}
				empty={<Nothing />}
				row={(channel) => (
					<Row key={channel.id} channel={channel} onEdit={() => edit(channel)} onChanged={list.reload} />
				)}
			/>
			<Secret />
			{edited && (
				<ChannelDialog
					{...(edited !== 'new' && {channel: edited})}
					onClose={() => edit(undefined)}
					onDone={list.reload}
				/>
			)}
		</SettingsPage>
	);
};
