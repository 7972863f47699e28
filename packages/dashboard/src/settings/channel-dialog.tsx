import type {NotificationChannel} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog.tsx';
import {CheckField, Form, SelectField, TextField, textOf} from '../parts/form.tsx';
import {client} from '../session/client.ts';
import {notificationKinds} from './notification-kinds.ts';

type Type = NotificationChannel['type'];
type Event = NotificationChannel['events'][number];

const types: readonly Readonly<{value: Type; label: string; hint: string}>[] = [
	{value: 'webhook', label: 'Webhook', hint: 'Each notification is posted there as JSON, signed with your secret.'},
	{value: 'slack', label: 'Slack', hint: 'The address of an incoming webhook of Slack. Nobody is shown it again.'},
];

export const channelEvents = Object.keys(notificationKinds) as readonly Event[];

const save = async (values: FormData, channel: NotificationChannel | undefined): Promise<void> => {
	const name = textOf(values, 'name');
	const fields = {
		url: textOf(values, 'url'),
		events: channelEvents.filter((event) => values.has(event)),
		...(name !== '' && {name}),
	};
	if (channel) await client.notificationChannels.update({path: {id: channel.id}, body: fields});
	else await client.notificationChannels.create({body: {type: textOf(values, 'type') as Type, ...fields}});
};

const Events = ({chosen}: {chosen: readonly Event[]}) => (
	<fieldset class="stack tight">
		<legend class="label">Told of</legend>
		<div class="check-columns">
			{channelEvents.map((event) => (
				<CheckField key={event} name={event} label={notificationKinds[event][1]} checked={chosen.includes(event)} />
			))}
		</div>
	</fieldset>
);

type Props = Readonly<{channel?: NotificationChannel; onClose: () => void; onDone: () => void}>;

export const ChannelDialog = ({channel, onClose, onDone}: Props) => {
	const [type, setType] = useState<Type>(channel?.type ?? 'webhook');
	return (
		<Dialog title={channel ? `Change ${channel.name}` : 'New channel'} onClose={onClose}>
			<Form
				action={channel ? 'Save' : 'Make the channel'}
				onCancel={onClose}
				submit={async (values) => {
					await save(values, channel);
					onDone();
					onClose();
				}}
			>
				{!channel && (
					<SelectField
						name="type"
						label="Kind"
						options={types}
						value={type}
						onInput={(value) => setType(value as Type)}
					/>
				)}
				<TextField
					name="url"
					label="Address"
					// Slack's is masked, which is no URL that browsers take for one; sent back, it stays what it is.
					type={channel?.type === 'slack' ? 'text' : 'url'}
					value={channel?.url ?? ''}
					placeholder="https://"
					hint={types.find(({value}) => value === type)?.hint}
					maxLength={2048}
					autocomplete="off"
					required
				/>
				<TextField
					name="name"
					label="Name"
					value={channel?.name ?? ''}
					hint="To tell it from others."
					maxLength={100}
					autocomplete="off"
				/>
				<Events chosen={channel?.events ?? channelEvents} />
			</Form>
		</Dialog>
	);
};
