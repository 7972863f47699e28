import {KeyRules, type ObjectKeys, type Role} from './strict-json-keys.ts';
import {createStringReader, type StringReader} from './strict-json-strings.ts';

/** What JSON allows and a strict reader does not. */
export type Finding = Readonly<{
	code: 'too_deep' | 'too_many' | 'duplicate_key' | 'look_alike_key' | 'forbidden_character';
	message: string;
	path: string;
}>;

export type ScanOptions = Readonly<{
	max_depth?: number;
	max_members?: number;
	unique_keys?: 'everywhere' | 'envelope';
	refuse_look_alikes?: boolean;
	any_character?: boolean;
}>;

/** The object or array that the scan is in, and the member it is at. Reused for each container of that depth. */
type Frame = {
	is_object: boolean;
	expects_key: boolean;
	key_start: number;
	key_end: number;
	index: number;
	/** As it reads; only where keys are judged. */
	key: string | undefined;
	keys: ObjectKeys | undefined;
};

/** A JSON text as it was sent, and decoded, if it is UTF-8. */
export type JsonText = Readonly<{bytes: Uint8Array; text: string | undefined}>;

type Scan = Readonly<{
	bytes: Uint8Array;
	/** Its bytes, one character each; undefined when some characters take more bytes than one. */
	ascii: string | undefined;
	options: ScanOptions;
	strings: StringReader;
	rules: KeyRules;
	frames: Frame[];
	state: State;
}>;

type State = {
	depth: number;
	at: number;
	members: number;
	finding: Finding | undefined;
	/** The finding is of a text that is not worth looking at further. */
	is_over: boolean;
	arguments_start: number;
	arguments_end: number;
};

const startState = (): State => ({
	...{depth: 0, at: 0, members: 0, finding: undefined, is_over: false},
	...{arguments_start: -1, arguments_end: -1},
});

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const decoder = new TextDecoder();

/**
 * Walks over the structure of a JSON text once. It trusts nothing: on text that is not JSON it ends somewhere, and its
 * findings mean nothing.
 */
export const scanJson = ({bytes, text}: JsonText, options: ScanOptions) => {
	const ascii = text?.length === bytes.length ? text : undefined;
	const state = startState();
	const strings = createStringReader(bytes, ascii);
	const scan: Scan = {bytes, ascii, options, strings, rules: new KeyRules(), frames: [], state};
	while (state.at < bytes.length && !state.is_over && state.depth >= 0) step(scan);
	const {finding, is_over, arguments_start: start, arguments_end: end} = state;
	return {finding, is_over, arguments_range: start >= 0 && end > start ? {start, end} : undefined};
};

const step = (scan: Scan): void => {
	const {bytes, state} = scan;
	switch (bytes[state.at]) {
		case quote:
			readString(scan);
			return;
		case openBrace:
		case openBracket:
			enter(scan);
			break;
		case closeBrace:
		case closeBracket:
			leave(scan);
			break;
		case comma:
			endMember(scan);
			nextMember(scan);
			countMember(scan);
			break;
		case colon:
			if (isArguments(scan)) state.arguments_start = skipBlanks(bytes, state.at + 1);
			break;
	}
	state.at += 1;
};

const enter = (scan: Scan): void => {
	const {bytes, options, state, frames} = scan;
	const limit = options.max_depth ?? 64;
	if (state.depth >= limit) {
		giveUp(scan, {code: 'too_deep', message: `is nested deeper than ${limit} levels`, path: pathOf(scan)});
		return;
	}
	countMember(scan);
	const is_object = bytes[state.at] === openBrace;
	const keys = is_object ? keysFor(scan) : undefined;
	frames[state.depth] = {is_object, expects_key: is_object, key_start: -1, key_end: -1, index: 0, key: undefined, keys};
	state.depth += 1;
};

const giveUp = ({state}: Scan, finding: Finding): void => {
	state.finding = finding;
	state.is_over = true;
};

/** One for each object or array, and one for each comma: those of a container are as many as it has members, or one. */
const countMember = (scan: Scan): void => {
	const {max_members} = scan.options;
	scan.state.members += 1;
	if (max_members === undefined || scan.state.members <= max_members) return;
	giveUp(scan, {code: 'too_many', message: `holds more than ${max_members} keys and items of lists`, path: ''});
};

const leave = (scan: Scan): void => {
	const {state, frames, rules} = scan;
	endMember(scan);
	state.depth -= 1;
	const keys = frames[state.depth]?.keys;
	if (keys !== undefined) rules.leave(keys);
};

const keysFor = (scan: Scan): ObjectKeys | undefined => {
	const role = roleOf(scan);
	const {unique_keys = 'everywhere', refuse_look_alikes = false} = scan.options;
	if (role === undefined) return unique_keys === 'everywhere' ? scan.rules.enter(undefined) : undefined;
	return scan.rules.enter(refuse_look_alikes ? role : undefined);
};

/** What an object that begins here is to JSON-RPC. */
const roleOf = ({frames, state}: Scan): Role | undefined => {
	const inBatch = frames[0]?.is_object === false ? 1 : 0;
	if (state.depth === inBatch) return 'message';
	const message = frames[inBatch];
	return state.depth === inBatch + 1 && message?.key === 'params' ? 'params' : undefined;
};

const isArguments = ({frames, state}: Scan): boolean => {
	const [message, params] = frames;
	if (state.depth !== 2 || !message?.is_object || !params?.is_object) return false;
	return message.key === 'params' && params.key === 'arguments';
};

const readString = (scan: Scan): void => {
	const {state, strings, options} = scan;
	const start = state.at;
	const read = strings.read(start + 1);
	state.at = read.end + 1;
	const frame = scan.frames[state.depth - 1];
	const isKey = frame?.is_object === true && frame.expects_key;
	if (isKey) {
		frame.expects_key = false;
		frame.key_start = start;
		frame.key_end = state.at;
	}
	if (read.forbidden !== undefined && !options.any_character)
		note(scan, 'forbidden_character', `holds ${read.forbidden}`);
	if (isKey && frame.keys) judgeKey(scan, frame, frame.keys);
};

const judgeKey = (scan: Scan, frame: Frame, keys: ObjectKeys): void => {
	const raw = rawKey(scan, frame);
	frame.key = decodeKey(raw);
	const problem = scan.rules.add(keys, raw, frame.key);
	if (problem) note(scan, problem.code, problem.message);
};

/** The first finding counts. */
const note = (scan: Scan, code: Finding['code'], message: string): void => {
	scan.state.finding ??= {code, message, path: pathOf(scan)};
};

const endMember = (scan: Scan): void => {
	const {bytes, state} = scan;
	if (state.arguments_start < 0 || state.arguments_end >= 0 || !isArguments(scan)) return;
	let end = state.at;
	while (end > state.arguments_start && isBlank(bytes[end - 1])) end -= 1;
	state.arguments_end = end;
};

const nextMember = ({frames, state}: Scan): void => {
	const frame = frames[state.depth - 1];
	if (!frame) return;
	if (frame.is_object) frame.expects_key = true;
	else frame.index += 1;
};

const pathOf = (scan: Scan): string =>
	scan.frames
		.slice(0, scan.state.depth)
		.map((frame) => (frame.is_object ? decodeKey(rawKey(scan, frame)) : String(frame.index)))
		.join('.');

/** The key as it is written, without its quotes. */
const rawKey = ({bytes, ascii}: Scan, {key_start, key_end}: Frame): string => {
	if (key_start < 0) return '';
	// A key of its own decoder costs 0.4 us, and most texts are ASCII.
	return ascii?.slice(key_start + 1, key_end - 1) ?? decoder.decode(bytes.subarray(key_start + 1, key_end - 1));
};

const decodeKey = (raw: string): string => {
	if (!raw.includes('\\')) return raw;
	try {
		return JSON.parse(`"${raw}"`);
	} catch {
		return raw;
	}
};

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const skipBlanks = (bytes: Uint8Array, from: number): number => {
	let at = from;
	while (isBlank(bytes[at])) at += 1;
	return at;
};
