import {mask} from '../../values/mask.ts';
import {parseSingularPath, type SingularPath} from '../../values/singular-path.ts';
import type {McpServer} from '../model/server.ts';

/** Turns the bytes of a request or response into those that the log keeps. */
export type BodyRedaction = (body: Uint8Array) => Uint8Array;

const nothing = new Uint8Array();

const keep: BodyRedaction = (body) => body;
const drop: BodyRedaction = () => nothing;

/** Stands for a body that cannot be searched for secrets. */
const unreadable = new TextEncoder().encode('"[redacted: not JSON]"');

/**
 * Compiles a server's `log_bodies`. `full` keeps the very bytes, `none` keeps nothing, `redacted` writes the JSON anew with
 * a mask for what stands at the named paths and under keys that look secret. What is not JSON is not kept then.
 */
export const compileBodyRedaction = ({mode, paths}: McpServer['log_bodies']): BodyRedaction => {
	if (mode === 'full') return keep;
	if (mode === 'none') return drop;
	const steps = paths.map(parseSingularPath);
	return (body) => (body.length === 0 ? body : redact(body, steps));
};

const redact = (body: Uint8Array, paths: readonly SingularPath[]): Uint8Array => {
	try {
		const root = {$: JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body))};
		for (const path of paths) maskAt(root, ['$', ...path]);
		return new TextEncoder().encode(JSON.stringify(maskSecrets(root.$)));
	} catch {
		// Not JSON, or nested deeper than the stack: whatever cannot be searched is not kept.
		return unreadable;
	}
};

const maskAt = (root: object, path: SingularPath): void => {
	let place: unknown = root;
	for (const step of path.slice(0, -1)) place = member(place, step);
	const last = path.at(-1) as string | number;
	if (member(place, last) === undefined) return;
	Object.defineProperty(place, keyOf(place, last), {value: mask, enumerable: true});
};

const member = (value: unknown, step: string | number): unknown => {
	if (typeof value !== 'object' || value === null || Array.isArray(value) !== (typeof step === 'number'))
		return undefined;
	const key = keyOf(value, step);
	return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
};

const keyOf = (value: unknown, step: string | number): string =>
	String(typeof step === 'number' && step < 0 && Array.isArray(value) ? value.length + step : step);

const maskSecrets = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(maskSecrets);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, isSecretKey(key) ? mask : maskSecrets(inner)]),
	);
};

const secretWords =
	/password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|authorization|credential|cookie|^pwd$|^pin$|^cvv$|^cvc$/;

/** Keys of MCP itself that sound secret and are not. */
const protocolKeys = ['progresstoken'];

/** True for a key that by its name holds a secret, however it is cased and hyphenated. */
const isSecretKey = (key: string): boolean => {
	const word = key.toLowerCase().replaceAll(/[-_ .]/g, '');
	return secretWords.test(word) && !protocolKeys.includes(word);
};
