import type {Ports} from '../ports/index.ts';
import {channelUrlBinding} from '../values/binding.ts';
import {channelReference} from '../values/channel-reference.ts';
import {destinationKeyOf} from '../values/template.ts';
import type {NotificationChannelRecord} from './model/notification-channel.ts';
import type {ChannelDestination} from './rules/channel-notice.ts';

type Needs = Pick<Ports, 'cipher'>;

/** A channel as a place that a notice goes to. */
export const channelDestination = (needs: Needs, channel: NotificationChannelRecord): ChannelDestination => ({
	...channel,
	destination_key: destinationKey(needs, channel),
});

/** The origin of its URL, of which nothing is secret; of one that does not open, its own. */
const destinationKey = ({cipher}: Needs, channel: NotificationChannelRecord): string => {
	try {
		return destinationKeyOf(cipher.open(channel.url, channelUrlBinding(channel)), {
			team_id: '',
			user_id: channel.user_id,
		});
	} catch {
		return channelReference(channel.id);
	}
};
