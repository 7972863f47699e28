import {parseFieldPath} from '../../values/field-path.ts';
import type {MiddlewareConfigs} from '../model/middleware.ts';
import type {MessageView} from './message-view.ts';
import type {Step} from './step.ts';

const replaced = '\ufffd';

/** Of a body that is no UTF-8: as text, where what is none is replaced, different ones would be taken for one. */
const bytesOfNoText = ({message: {body}, bodyText}: MessageView): readonly string[] =>
	bodyText().includes(replaced) ? [new TextDecoder('latin1').decode(body)] : [];

/**
 * Looks whether a value was seen within its time to live: the store says so, when the webhook is accepted. A webhook
 * without the value is no duplicate.
 * @throws SyntaxError for a malformed path.
 */
export const compileDeduplicate = ({key, ttl}: MiddlewareConfigs['deduplicate']): Step => {
	const path = parseFieldPath(key);
	const readsBody = path.kind === 'body' || path.kind === 'json_path';
	return (view, markers) => {
		const nodes = view.select(path);
		if (nodes.length === 0) return {outcome: 'passed', message: `${key} ${view.absence(path)}: no duplicate`};
		// With the key: what was seen at another one says nothing of this one.
		const exact = readsBody ? bytesOfNoText(view) : [];
		const value = JSON.stringify([key, ...[...nodes, ...exact].map(markers.resolve)]);
		return {outcome: 'claims', message: `${key} was not seen within ${ttl} s`, value, ttl_seconds: ttl};
	};
};
