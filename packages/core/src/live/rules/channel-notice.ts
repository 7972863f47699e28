import {channelReference} from '../../values/channel-reference.ts';
import type {Notice} from '../../webhook/model/notice.ts';
import type {Notification, NotificationRecord} from '../model/notification.ts';
import type {NotificationChannelRecord} from '../model/notification-channel.ts';

/** A channel that a notification goes to. */
export type ChannelDestination = Pick<NotificationChannelRecord, 'id' | 'name' | 'type'> &
	Readonly<{destination_key: string}>;

/** Where a person can do something about it; null: nowhere in particular. */
const linkOf = ({type, data}: Notification, base_url: string): string | null =>
	type === 'approval_pending' ? `${base_url.replace(/\/$/, '')}/approvals/${data.approval_id}` : null;

/** Slack reads these three; whoever named a tool must not mention people with them, nor write lines that look like ours. */
const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\s+/g, ' ').trim();

/** What an incoming webhook of Slack takes. Nothing in a text becomes a link by itself: there is one, and it is ours. */
const slackMessage = ({title, message}: Notification, link: string | null) => ({
	text: [`*${escaped(title)}*`, escaped(message), link === null ? '' : `<${escaped(link)}|Decide>`]
		.filter((line) => line !== '')
		.join('\n'),
	parse: 'none',
});

/** A notification as it leaves for channels of its user. */
export const channelNotice = (
	{user_id, ...notification}: NotificationRecord,
	channels: readonly ChannelDestination[],
	base_url: string,
): Notice => {
	const link = linkOf(notification, base_url);
	return {
		...{id: notification.id, user_id, type: `notification.${notification.type}`, timestamp: notification.created_at},
		data: {...notification, link},
		destinations: channels.map(({id, name, type, destination_key}) => ({
			...{name, url: channelReference(id), destination_key},
			...(type === 'slack' && {body: slackMessage(notification, link)}),
		})),
	};
};
