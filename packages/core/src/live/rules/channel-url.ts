import {mask} from '../../values/mask.ts';
import {destinationUrlProblem, referencesIn} from '../../values/template.ts';
import type {NotificationChannel} from '../model/notification-channel.ts';

type Type = NotificationChannel['type'];

/** As its owner sees it. The path of a Slack URL is the permission to write there. */
export const shownChannelUrl = (type: Type, url: string): string =>
	type === 'slack' ? `${URL.parse(url)?.origin ?? ''}/${mask}` : url;

/** What is wrong with the URL of a channel, or undefined. */
export const channelUrlProblem = (type: Type, url: string): string | undefined => {
	const problem = destinationUrlProblem(url);
	if (problem !== undefined) return problem;
	if (referencesIn(url).length > 0) return 'takes no {{env.KEY}}: the URL itself is stored encrypted';
	return url === shownChannelUrl(type, url) && type === 'slack' ? 'is the mask: send the URL itself' : undefined;
};
