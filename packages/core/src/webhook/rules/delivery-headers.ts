import {isHeaderValue} from '../../values/header-text.ts';
import type {LeasedDelivery} from '../model/delivery.ts';
import type {EnvValues} from '../model/env-values.ts';
import type {HeaderField} from '../model/message.ts';
import {UnresolvedReference} from './env-markers.ts';
import {fillConfiguration, fillText} from './fill-references.ts';
import {isReservedHeader} from './reserved-headers.ts';
import {withHeaders} from './transform-headers.ts';

type Received = LeasedDelivery['event']['headers'][number];

/** What cannot be one line of a header would be read as another header, or as the body. */
const checked = (field: HeaderField): HeaderField => {
	if (isHeaderValue(field[1])) return field;
	throw new UnresolvedReference(`The header ${field[0]} resolves to what a header cannot hold.`);
};

/**
 * The headers of a delivery but for the signature: what the pipeline left of the sender's, less what frames a
 * request or is ours, under those that the rule sets. @throws UnresolvedReference
 */
export const deliveryHeaders = (
	{event, headers_override, body}: Pick<LeasedDelivery, 'event' | 'headers_override' | 'body'>,
	values: EnvValues,
): readonly HeaderField[] => {
	const isPassed = ([name]: Received) =>
		!isReservedHeader(name) &&
		// A body that a rule made is not encoded as the sender's was.
		(body === null || name.toLowerCase() !== 'content-encoding');
	const passed = event.headers.filter(isPassed).map(([name, value]) => checked([name, fillText(value, values)]));
	const set = Object.entries(headers_override).filter(([name]) => !isReservedHeader(name));
	const filled = set.map(([name, template]) => checked([name, fillConfiguration(template, values)]));
	return withHeaders(passed, Object.fromEntries(filled));
};
