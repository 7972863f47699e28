import type {Ports} from '../ports/index.ts';
import {channelUrlBinding} from '../values/binding.ts';
import {referencedChannel} from '../values/channel-reference.ts';
import type {LeasedDelivery} from './model/delivery.ts';
import type {EndpointRecord} from './model/endpoint.ts';

/** A delivery with the address it goes to, and what of that is a secret; or why it goes nowhere. */
export type Addressed =
	| Readonly<{ok: true; delivery: LeasedDelivery; secrets: readonly string[]}>
	/** `is_over`: its owner does not want it any more. */
	| Readonly<{ok: false; because: string; is_over: boolean}>;

type Needs = Pick<Ports, 'cipher' | 'notificationChannels'>;

/** The channel that a delivery goes to, or undefined for any other destination. */
export const channelOf = (
	{is_for_notices}: Pick<EndpointRecord, 'is_for_notices'>,
	{url}: Pick<LeasedDelivery, 'url'>,
): string | undefined => (is_for_notices ? referencedChannel(url) : undefined);

/** Whoever knows the path of a Slack URL may write there. */
const secretsOf = (url: string): readonly string[] => {
	const {pathname = '', search = ''} = URL.parse(url) ?? {};
	return [url, pathname + search];
};

/** Channels say now where they are, and whether they still want it. */
export const addressOf = async (
	{cipher, notificationChannels}: Needs,
	endpoint: EndpointRecord,
	delivery: LeasedDelivery,
): Promise<Addressed> => {
	const id = channelOf(endpoint, delivery);
	if (id === undefined) return {ok: true, delivery, secrets: []};
	const channel = await notificationChannels.get(endpoint.user_id, id);
	if (channel === undefined) return {ok: false, because: 'Its notification channel was deleted.', is_over: true};
	if (!channel.is_active) return {ok: false, because: 'Its notification channel is switched off.', is_over: true};
	try {
		const url = cipher.open(channel.url, channelUrlBinding(channel));
		return {ok: true, delivery: {...delivery, url}, secrets: channel.type === 'slack' ? secretsOf(url) : []};
	} catch {
		const because = 'The URL of its notification channel does not open with the master keys that are set.';
		return {ok: false, because, is_over: false};
	}
};
