import type {Ports} from '../ports/index.ts';
import type {Notices} from '../webhook/notices.ts';
import {channelDestination} from './channel-destination.ts';
import type {NotificationRecord} from './model/notification.ts';
import {channelNotice} from './rules/channel-notice.ts';
import {isWantedBy} from './rules/wanted-notification.ts';

/** Sends notifications to the channels of their users. */
export type NotificationSending = Readonly<{
	/**
	 * Hands up to `limit` that wait over to delivery. Run it about once a second.
	 * @param base_url Where people decide. @returns how many it looked at.
	 */
	send(limit: number, base_url: string): Promise<number>;
}>;

type Needs = Pick<Ports, 'cipher' | 'notificationChannels' | 'notificationOutbox'> &
	Readonly<{
		/** Tells at addresses of the user; told again under the same id, it is the same. */
		sendNotice: Notices['send'];
	}>;

export const createNotificationSending = (needs: Needs): NotificationSending => ({
	send: async (limit, base_url) => {
		const waiting = await needs.notificationOutbox.waiting(limit);
		const ended = [];
		for (const notification of waiting)
			ended.push(...(await Promise.allSettled([sendOne(needs, notification, base_url)])));
		// One that cannot be sent holds up nobody else's.
		const failed = ended.find(({status}) => status === 'rejected');
		if (failed?.status === 'rejected') throw failed.reason;
		return waiting.length;
	},
});

const sendOne = async (needs: Needs, notification: NotificationRecord, base_url: string): Promise<void> => {
	const channels = await needs.notificationChannels.list(notification.user_id);
	const wanting = channels.filter((channel) => isWantedBy(notification, channel));
	const destinations = wanting.map((channel) => channelDestination(needs, channel));
	if (wanting.length > 0) await needs.sendNotice(channelNotice(notification, destinations, base_url));
	// A process that dies before this sends the same notice again, which changes nothing.
	await needs.notificationOutbox.done(notification.id);
};
