import {decodeBySniffing, decodeOverlong} from '../../../../test/support/lenient-decoding.ts';
import {readTolerantly, type TolerantValue} from '../../../../test/support/tolerant-json.ts';

/** Which tools an upstream that reads like this would run, given these bytes. It refuses nothing. */
export type LenientReader = (bytes: Buffer) => readonly unknown[];

type Members = readonly (readonly [key: string, value: TolerantValue])[];

const membersOf = (value: TolerantValue): Members =>
	typeof value === 'string' || !('members' in value) ? [] : value.members;

const messagesIn = (value: TolerantValue): readonly TolerantValue[] =>
	Array.isArray(value) ? value.flatMap(messagesIn) : [value];

// biome-ignore lint/suspicious/noExplicitAny: it reads whatever comes
type Anything = any;

/** As a program does that assigns each member as it comes: the last one counts, and `__proto__` is inherited from. */
const assigned = (value: TolerantValue): Anything => {
	if (Array.isArray(value)) return value.map(assigned);
	if (typeof value === 'string') return value;
	if (!('members' in value)) return null;
	const object: Record<string, unknown> = {};
	for (const [key, each] of value.members) object[key] = assigned(each);
	return object;
};

/** JSON5 and more: comments, either quote, bare keys, odd blanks, one value after another, bytes that are no UTF-8. */
const assigning: LenientReader = (bytes) =>
	readTolerantly(bytes.toString())
		.flatMap(messagesIn)
		.map(assigned)
		.filter((message) => message?.method === 'tools/call')
		.map(({params}) => (Array.isArray(params) ? params[0] : params?.name));

const caseless = (key: string): string => key.toUpperCase().toLowerCase();

const named = (members: Members, name: string): readonly TolerantValue[] =>
	members.filter(([key]) => caseless(key) === name).map(([, value]) => value);

const lastText = (values: readonly TolerantValue[]): unknown => values.findLast((value) => typeof value === 'string');

/** As Go's encoding/json fills a struct: keys in any case, repeated objects merged into one, null leaves what was there. */
const filling: LenientReader = (bytes) =>
	readTolerantly(bytes.toString())
		.flatMap(messagesIn)
		.map(membersOf)
		.filter((message) => lastText(named(message, 'method')) === 'tools/call')
		.map((message) => lastText(named(named(message, 'params').flatMap(membersOf), 'name')));

/** Where a text ends for those who end it at NUL, and without what nobody sees. */
const plain = (text: string): string =>
	(text.split('\0')[0] ?? '').replaceAll(/[\p{Default_Ignorable_Code_Point}\s]/gu, '').normalize('NFKC');

const first = (members: Members, name: string): TolerantValue | undefined =>
	members.find(([key]) => plain(key) === name)?.[1];

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

/** Where an object may begin, when what stands before it could not be read. */
const restarts = (text: string): readonly string[] =>
	isJson(text) ? [text] : [text, ...Array.from(text.matchAll(/[{[]/g), ({index}) => text.slice(index))];

/** Guesses the encoding, begins anew after what it cannot read, and takes the first of several members. */
const resuming: LenientReader = (bytes) =>
	[decodeBySniffing(bytes), decodeOverlong(bytes)]
		.flatMap(restarts)
		.flatMap((text) => readTolerantly(text).slice(0, 1))
		.flatMap(messagesIn)
		.map(membersOf)
		.filter((message) => {
			const method = first(message, 'method');
			return typeof method === 'string' && plain(method) === 'tools/call';
		})
		.map((message) => first(membersOf(first(message, 'params') ?? ''), 'name'))
		.map((name) => (typeof name === 'string' ? plain(name) : name));

export const lenientReaders: Readonly<Record<string, LenientReader>> = {assigning, filling, resuming};
