import {parseDottedPath} from './dotted-path.ts';
import {compileJsonPath, type JsonPath} from './json-path.ts';

/** A place in a webhook (decisions, "Pipeline"). Names of headers are in small letters; `body` without steps is the whole text. */
export type FieldPath =
	| Readonly<{kind: 'header'; name: string}>
	| Readonly<{kind: 'query'; name: string}>
	| Readonly<{kind: 'method'}>
	| Readonly<{kind: 'body'; steps: readonly string[]}>
	| Readonly<{kind: 'json_path'; path: JsonPath}>;

const headers = 'headers.';
const query = 'query.';
const body = 'body.';

const rest = (text: string, prefix: string): string => {
	const name = text.slice(prefix.length);
	if (name === '') throw new SyntaxError(`names nothing after ${prefix}`);
	return name;
};

/**
 * Reads `headers.<name>`, `query.<name>`, `method`, `body`, `body.<dotted>`, or a JSONPath on the body.
 * @throws SyntaxError with a message for people.
 */
export const parseFieldPath = (text: string): FieldPath => {
	if (text.startsWith('$')) return {kind: 'json_path', path: compileJsonPath(text)};
	if (text === 'method') return {kind: 'method'};
	if (text === 'body') return {kind: 'body', steps: []};
	if (text.startsWith(headers)) return {kind: 'header', name: rest(text, headers).toLowerCase()};
	if (text.startsWith(query)) return {kind: 'query', name: rest(text, query)};
	if (text.startsWith(body)) return {kind: 'body', steps: parseDottedPath(rest(text, body))};
	throw new SyntaxError(
		'must be headers.<name>, query.<name>, method, body, body.<path> or a JSONPath that begins with $',
	);
};
