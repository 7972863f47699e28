import {utf8} from '../../values/bytes-text.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {Sample} from '../model/sample.ts';

const queryOf = (query: NonNullable<Sample['query']>): string =>
	typeof query === 'string' ? query.replace(/^\?/, '') : new URLSearchParams(query).toString();

const bodyOf = (body: unknown): Uint8Array => {
	if (body === undefined) return new Uint8Array();
	return utf8(typeof body === 'string' ? body : JSON.stringify(body));
};

/** A sample as the webhook that it stands for. */
export const sampleMessage = ({method = 'POST', headers = {}, query = '', body}: Sample): WebhookMessage => ({
	method: method.toUpperCase(),
	path: '',
	query: queryOf(query),
	headers: Object.entries(headers),
	body: bodyOf(body),
});
