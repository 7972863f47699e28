import {decodeText, utf8} from '../../values/bytes-text.ts';
import {firstCharacters} from '../../values/first-characters.ts';
import {type TracedBody, tracedCharacters} from '../model/trace.ts';

/**
 * As much of a body as a trace holds, however many steps and destinations write it anew.
 * @param text As people see it: a stand-in for a reference must be whole to be found.
 */
export const tracedBody = (text: string, most = tracedCharacters): TracedBody => {
	const body = firstCharacters(text, most);
	if (body.length === text.length) return {body};
	// By way of bytes: a part of a text keeps all of it in memory for as long as it is kept itself.
	return {body: decodeText(utf8(body)), body_truncated: true};
};
