import {membersOf, rootOf, type ScannedJson, type Span, scanText} from './json-scan.ts';

/** A value: as it stands in its text, or in parts, once somebody entered it. */
type Node = {readonly json: ScannedJson; readonly span: Span; parts?: Parts};

/** What is between the brackets of a container, and what follows its last item, the bracket included. */
type Parts = {items: Item[]; readonly byKey: Map<string, Item>; tail: string};

/** With what parts it from the item before, and its key as it is written. */
type Item = {before: string; readonly key: string; readonly name: string; value: Node};

/** A JSON text that is edited: numbers of any size, the order of keys, blanks, all that nobody changes stays as it is. */
export type JsonDraft = Readonly<{
	/**
	 * Sets a member to another JSON text. Missing objects on the way, and null in their place, are made; arrays are entered
	 * by index; of a key that stands there twice, every reader in common use takes the last. @returns what hinders it.
	 */
	set(steps: readonly string[], value: string): string | undefined;
	/** Removes a member, each time it stands there, and nothing else. What is not there stays away. */
	remove(steps: readonly string[]): void;
	text(): string;
}>;

const nodeOf = (text: string): Node => {
	const json = scanText(text);
	return {json, span: rootOf(json)};
};

const takeApart = ({json, span}: Node): Parts => {
	const {text} = json;
	let at = span.start + 1;
	const items = membersOf(json, span).map(({key, start, value}): Item => {
		const before = text.slice(at, start);
		at = value.end;
		return {before, key, name: text.slice(start, value.start), value: {json, span: value}};
	});
	return {items, byKey: new Map(items.map((item) => [item.key, item])), tail: text.slice(at, span.end)};
};

const partsOf = (node: Node): Parts => {
	node.parts ??= takeApart(node);
	return node.parts;
};

const firstOf = ({json, span}: Node): string => json.text.charAt(span.start);

const isObject = (node: Node): boolean => firstOf(node) === '{';

const isNull = (node: Node): boolean => firstOf(node) === 'n';

const write = (node: Node): string => {
	const {json, span, parts} = node;
	if (parts === undefined) return json.text.slice(span.start, span.end);
	const items = parts.items.map(({before, name, value}) => before + name + write(value));
	return firstOf(node) + items.join('') + parts.tail;
};

/** The member, or the element of an array, that a step leads to. */
const itemAt = (node: Node, step: string): Item | undefined =>
	'{['.includes(firstOf(node)) ? partsOf(node).byKey.get(step) : undefined;

/** As the last one: behind the last value, before the blanks that follow it. */
const append = (node: Node, key: string, value: string): void => {
	const {items, byKey} = partsOf(node);
	const before = items.length === 0 ? '' : ',';
	const item = {before, key, name: `${JSON.stringify(key)}:`, value: nodeOf(value)};
	items.push(item);
	byKey.set(key, item);
};

/** With the comma that parts each from a neighbour. */
const removeFrom = (node: Node, key: string): void => {
	const parts = partsOf(node);
	if (!parts.byKey.delete(key)) return;
	const [first] = parts.items;
	const left = parts.items.filter((item) => item.key !== key);
	const [next] = left;
	if (first !== undefined && next === undefined) parts.tail = first.before + parts.tail;
	else if (first !== undefined && next !== undefined) next.before = first.before;
	parts.items = left;
};

const nested = (steps: readonly string[], value: string): string =>
	steps.reduceRight((inner, step) => `{${JSON.stringify(step)}:${inner}}`, value);

/** Where a member is to be set: what holds it, and how many steps lead there. */
type Place = Readonly<{node: Node; index: number}>;

/** As far as the steps lead. */
const enter = (root: Node, steps: readonly string[]): Place => {
	let node = root;
	for (const [index, step] of steps.slice(0, -1).entries()) {
		const next = itemAt(node, step)?.value;
		if (next === undefined || isNull(next)) return {node, index};
		node = next;
	}
	return {node, index: steps.length - 1};
};

const setIn = (root: Node, steps: readonly string[], value: string): string | undefined => {
	const {node, index} = enter(root, steps);
	const [step = '', ...rest] = steps.slice(index);
	const item = itemAt(node, step);
	if (item !== undefined) item.value = nodeOf(nested(rest, value));
	else if (isObject(node)) append(node, step, nested(rest, value));
	else return `${steps.slice(0, index).join('.') || 'the body'} is no object that could hold ${step}`;
	return undefined;
};

const removeIn = (root: Node, steps: readonly string[]): void => {
	let at: Node | undefined = root;
	for (const step of steps.slice(0, -1)) at = at && itemAt(at, step)?.value;
	if (at !== undefined && isObject(at)) removeFrom(at, steps.at(-1) ?? '');
};

/** @param text known to be JSON. It is looked at once, however much of it is edited. */
export const draftJson = (text: string): JsonDraft => {
	const root = nodeOf(text);
	const {start, end} = root.span;
	return {
		set: (steps, value) => setIn(root, steps, value),
		remove: (steps) => removeIn(root, steps),
		text: () => text.slice(0, start) + write(root) + text.slice(end),
	};
};
