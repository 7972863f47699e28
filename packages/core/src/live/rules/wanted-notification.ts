import type {NotificationRecord} from '../model/notification.ts';
import type {NotificationChannelRecord} from '../model/notification-channel.ts';

/**
 * Whether a notification goes to a channel of its user. That a channel cannot be reached is told in the list only: told
 * elsewhere, two channels that are gone would keep telling of each other.
 */
export const isWantedBy = (
	{type, data}: Pick<NotificationRecord, 'type' | 'data'>,
	{events, is_active}: Pick<NotificationChannelRecord, 'events' | 'is_active'>,
): boolean => is_active && events.includes(type) && !('channel_id' in data);
