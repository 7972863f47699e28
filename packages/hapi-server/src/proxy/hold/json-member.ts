/** Bytes from `start` up to, not including, `end`. */
type ByteRange = Readonly<{start: number; end: number}>;

/** A member of an object: its key with the quotes, and its value. */
type Member = Readonly<{key: ByteRange; value: ByteRange}>;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBrace = 0x7b;
const opening = new Set([0x5b, openBrace]);
const closing = new Set([0x5d, 0x7d]);
const blank = new Set([0x20, 0x0a, 0x0d, 0x09]);

const skipBlanks = (bytes: Buffer, from: number): number => {
	let at = from;
	while (blank.has(bytes[at] ?? 0)) at += 1;
	return at;
};

const endOfText = (bytes: Buffer, from: number): number => {
	let at = from + 1;
	while (bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
	return at + 1;
};

/** The end of the value that begins there, by counting brackets: it may be nested as deeply as it likes. */
const endOfValue = (bytes: Buffer, from: number): number => {
	let depth = 0;
	let at = from;
	while (at < bytes.length) {
		const byte = bytes[at] ?? 0;
		if (depth === 0 && at > from && (byte === comma || closing.has(byte) || blank.has(byte))) return at;
		if (opening.has(byte)) depth += 1;
		if (closing.has(byte)) depth -= 1;
		at = byte === quote ? endOfText(bytes, at) : at + 1;
		if (depth === 0 && (byte === quote || closing.has(byte))) return at;
	}
	return at;
};

const textAt = (bytes: Buffer, {start, end}: ByteRange): unknown => JSON.parse(bytes.toString('utf8', start, end));

/** The member of that name, the last of several as `JSON.parse` has it, of the object that begins there. */
const memberAt = (bytes: Buffer, from: number, name: string): Member | undefined => {
	let found: Member | undefined;
	if (bytes[from] !== openBrace) return undefined;
	let at = skipBlanks(bytes, from + 1);
	while (bytes[at] === quote) {
		const key = {start: at, end: endOfText(bytes, at)};
		const start = skipBlanks(bytes, skipBlanks(bytes, key.end) + 1);
		const value = {start, end: endOfValue(bytes, start)};
		if (textAt(bytes, key) === name) found = {key, value};
		at = skipBlanks(bytes, value.end);
		if (bytes[at] === comma) at = skipBlanks(bytes, at + 1);
	}
	return found;
};

const rootOf = (bytes: Buffer): number => skipBlanks(bytes, 0);

const splice = (bytes: Buffer, {start, end}: ByteRange, text: string): Buffer =>
	Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);

/** The member with the comma that parts it from the one before it or, for the first, from the one behind it. */
const withComma = (bytes: Buffer, {key, value}: Member): ByteRange => {
	let before = key.start - 1;
	while (blank.has(bytes[before] ?? 0)) before -= 1;
	if (bytes[before] === comma) return {start: before, end: value.end};
	const behind = skipBlanks(bytes, value.end);
	return {start: key.start, end: bytes[behind] === comma ? behind + 1 : value.end};
};

/**
 * Sets the member `name` of the object `outer` of a JSON object, or takes it away, and leaves every other byte as it is.
 * @param bytes valid JSON: what `JSON.parse` takes.
 * @param path `outer` and `name`.
 * @returns the bytes as they were when there is no such object.
 */
export const withMember = (
	bytes: Buffer,
	[outer, name]: readonly [string, string],
	text: string | undefined,
): Buffer => {
	const object = memberAt(bytes, rootOf(bytes), outer)?.value;
	if (object === undefined || bytes[object.start] !== openBrace) return bytes;
	const member = memberAt(bytes, object.start, name);
	if (text === undefined) return member === undefined ? bytes : splice(bytes, withComma(bytes, member), '');
	const value = JSON.stringify(text);
	if (member !== undefined) return splice(bytes, member.value, value);
	const first = skipBlanks(bytes, object.start + 1);
	const added = `${JSON.stringify(name)}:${value}${bytes[first] === quote ? ',' : ''}`;
	return splice(bytes, {start: object.start + 1, end: object.start + 1}, added);
};
