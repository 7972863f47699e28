import type {NotificationRecord} from '../model/notification.ts';
import type {NotificationChannelRecord} from '../model/notification-channel.ts';

type Facts = Readonly<{id: string; now: string}>;

/** What goes to a channel that its owner tries. It is sent like any other, and stands in no list. */
export const testNotification = (
	{user_id, name}: Pick<NotificationChannelRecord, 'user_id' | 'name'>,
	{id, now}: Facts,
): NotificationRecord => ({
	...{id, user_id, type: 'system', is_read: false, created_at: now},
	title: 'A test of Signalbox',
	message: `This is how you are told at ${name}.`,
	data: {is_test: true},
});
