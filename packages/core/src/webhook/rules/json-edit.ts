import {elementsOf, type Member, membersOf, rootOf, type Span} from './json-scan.ts';

export type JsonEdit = Readonly<{ok: true; text: string}> | Readonly<{ok: false; message: string}>;

const refused = (message: string) => ({ok: false, message}) as const;

const isObject = (text: string, {start}: Span): boolean => text[start] === '{';

const isNull = (text: string, {start, end}: Span): boolean => text.slice(start, end) === 'null';

/** Of a key that stands there twice, every reader in common use takes the last. */
const memberOf = (text: string, object: Span, key: string): Member | undefined =>
	membersOf(text, object).findLast((member) => member.key === key);

/** What a step leads to: a member, or an element of an array by its index. */
const child = (text: string, parent: Span, step: string): Span | undefined => {
	if (isObject(text, parent)) return memberOf(text, parent, step)?.value;
	return text[parent.start] === '[' && /^(?:0|[1-9][0-9]{0,8})$/.test(step)
		? elementsOf(text, parent)[Number(step)]
		: undefined;
};

const nested = (steps: readonly string[], value: string): string =>
	steps.reduceRight((inner, step) => `{${JSON.stringify(step)}:${inner}}`, value);

const replace = (text: string, {start, end}: Span, by: string): string => text.slice(0, start) + by + text.slice(end);

/** With a member more, written as it stands in the text, as the last one: behind the last value, before what follows it. */
const insert = (text: string, {start, end}: Span, member: string): string => {
	let at = end - 1;
	while (' \t\n\r'.includes(text.charAt(at - 1))) at -= 1;
	const isEmpty = at - 1 === start;
	const place = isEmpty ? start + 1 : at;
	return replace(text, {start: place, end: place}, isEmpty ? member : `,${member}`);
};

/**
 * Sets a member of a JSON text to another JSON text, and leaves every other character as it is: numbers of any size, the
 * order of keys, blanks. Missing objects on the way, and null in their place, are made; arrays are entered by index.
 */
export const setMember = (text: string, steps: readonly string[], value: string): JsonEdit => {
	let at = rootOf(text);
	for (const [index, step] of steps.entries()) {
		const rest = steps.slice(index + 1);
		const next = child(text, at, step);
		const isEnd = rest.length === 0;
		if (next === undefined) {
			if (isObject(text, at))
				return {ok: true, text: insert(text, at, `${JSON.stringify(step)}:${nested(rest, value)}`)};
			const place = steps.slice(0, index).join('.');
			return refused(`${place === '' ? 'the body' : place} is no object that could hold ${step}`);
		}
		if (isEnd || isNull(text, next)) return {ok: true, text: replace(text, next, nested(rest, value))};
		at = next;
	}
	return {ok: true, text: replace(text, at, value)};
};

/** The text without some members of an object, each with the comma that parts it from a neighbour. */
const without = (text: string, members: readonly Member[], isGone: (member: Member) => boolean): string => {
	const parts: string[] = [];
	let copied = 0;
	let hasKept = false;
	for (const [index, member] of members.entries()) {
		if (!isGone(member)) {
			hasKept = true;
			continue;
		}
		const {end} = member.value;
		parts.push(text.slice(copied, hasKept ? members[index - 1]?.value.end : member.key_start));
		copied = hasKept ? end : (members[index + 1]?.key_start ?? end);
	}
	return parts.join('') + text.slice(copied);
};

/** Removes a member of a JSON text, each time it stands there, and nothing else. What is not there stays away. */
export const removeMember = (text: string, steps: readonly string[]): string => {
	let at: Span | undefined = rootOf(text);
	for (const step of steps.slice(0, -1)) at = at && child(text, at, step);
	if (at === undefined || !isObject(text, at)) return text;
	return without(text, membersOf(text, at), ({key}) => key === steps.at(-1));
};
