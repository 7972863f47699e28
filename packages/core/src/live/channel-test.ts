import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Notices} from '../webhook/notices.ts';
import {channelDestination} from './channel-destination.ts';
import type {NotificationChannelRecord} from './model/notification-channel.ts';
import {channelNotice} from './rules/channel-notice.ts';
import {testNotification} from './rules/test-notification.ts';

type Needs = Pick<Ports, 'cipher' | 'clock' | 'ids' | 'rateLimiter'> & Readonly<{sendNotice: Notices['send']}>;

/** For all channels of a user together, since several may lead to one place: nobody is to be flooded by it. */
const limit = {per_minute: 6, burst: 0};

/** Whoever tries a channel looks on: what would arrive hours later tells them nothing. */
const once = {max_retries: 0, intervals: [1]};

/**
 * Sends a notice to one channel, the way that real ones go. Resolves once it cannot be lost any more.
 * @returns the id of its event. @throws conflict for a channel that is switched off; rate_limited.
 */
export const sendTest = async (needs: Needs, channel: NotificationChannelRecord): Promise<string> => {
	if (!channel.is_active)
		throw new DomainError('conflict', {
			message: 'Nothing is sent to a channel that is switched off: switch it on first.',
		});
	const {allowed, retry_after_seconds} = await needs.rateLimiter.take(`channel-test:${channel.user_id}`, limit);
	if (!allowed) throw new DomainError('rate_limited', {retryAfterSeconds: Math.max(1, retry_after_seconds)});
	const notification = testNotification(channel, {id: needs.ids.next(), now: needs.clock.now()});
	// It is about nothing that could be decided: no link is made of this address.
	const notice = channelNotice(notification, [channelDestination(needs, channel)], '');
	await needs.sendNotice({...notice, retry_config: once});
	return notice.id;
};
