import {parseJson} from './parse-json.ts';
import {type Finding, scanJson} from './strict-json-scan.ts';

export type StrictJsonOptions = Readonly<{
	/** Most bytes of the whole text. Default: no limit. */
	max_bytes?: number;
	/** Most objects and arrays inside one another. Default 64. */
	max_depth?: number;
	/** Most keys and items of all objects and arrays together; an empty one counts as if it had one. Default: no limit. */
	max_members?: number;
	/**
	 * Which objects may not repeat a key: every one (the default), or only a JSON-RPC message, or each of a batch, and its
	 * `params`.
	 */
	unique_keys?: 'everywhere' | 'envelope';
	/**
	 * Refuses, in a JSON-RPC message and its `params`, keys that another reader might take for one another or for a name
	 * of the protocol: `Method`, `method` with a full-width letter, or written with escapes; and `__proto__`, from which
	 * some inherit. Default false.
	 */
	refuse_look_alikes?: boolean;
	/** Lets NUL and lone surrogates pass in strings and keys. Default false. */
	any_character?: boolean;
}>;

/** Bytes from `start` up to, not including, `end`. */
export type ByteRange = Readonly<{start: number; end: number}>;

export type StrictJsonFailure = Readonly<{
	ok: false;
	code: 'too_large' | 'not_utf8' | 'syntax' | Finding['code'];
	/** For people. Quotes nothing of the text but keys. */
	message: string;
	/** Dotted path to where it is, `params.arguments.0`; empty for the whole text. */
	path: string;
}>;

export type StrictJson =
	| Readonly<{
			ok: true;
			/** As `JSON.parse` gives it. A key `__proto__` is an own property like any other. */
			value: unknown;
			/** Where the value of `params.arguments` stands, when the text is an object that has it. */
			arguments_range: ByteRange | undefined;
	  }>
	| StrictJsonFailure;

/**
 * Reads one JSON text (RFC 8259) in which no two readers can see different things: UTF-8 without a byte order mark, no
 * trailing data, no repeated keys, bounded depth and size. Takes one `JSON.parse` and one scan of the bytes.
 */
export const readStrictJson = (bytes: Uint8Array, options: StrictJsonOptions = {}): StrictJson => {
	if (options.max_bytes !== undefined && bytes.length > options.max_bytes) {
		return failed('too_large', `is larger than ${options.max_bytes} bytes`);
	}
	const text = decode(bytes);
	const {finding, is_over, arguments_range} = scanJson({bytes, text}, options);
	// Before the parse: it would build what is too deep, or too much.
	if (finding && is_over) return {ok: false, ...finding};
	if (text === undefined) return failed('not_utf8', 'is not valid UTF-8');
	const parsed = parse(text);
	if (!parsed.ok) return parsed;
	return finding ? {ok: false, ...finding} : {...parsed, arguments_range};
};

const failed = (code: StrictJsonFailure['code'], message: string): StrictJsonFailure => ({
	ok: false,
	code,
	message,
	path: '',
});

// Without ignoreBOM the mark would be dropped, and what was judged would not be what is sent.
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

const decode = (bytes: Uint8Array): string | undefined => {
	try {
		return decoder.decode(bytes);
	} catch {
		return undefined;
	}
};

const parse = (text: string): Readonly<{ok: true; value: unknown}> | StrictJsonFailure => {
	try {
		return {ok: true, value: parseJson(text)};
	} catch (error) {
		// The engine's message quotes the text, which may hold secrets: only the place is passed on.
		const place = /position \d+/.exec(String(error))?.[0];
		return failed('syntax', `is not valid JSON${place === undefined ? '' : ` (at ${place})`}`);
	}
};
