import fc from 'fast-check';

/** A JSON text on its way to become something else: keys and bare values stand as they are written, quotes included. */
type Tree = {members: [key: string, value: Tree][]} | {items: Tree[]} | {text: string};

type Members = Extract<Tree, {members: unknown}>['members'];

/** Two numbers that choose where and how: a case shrinks with them. */
type Dice = Readonly<{where: number; how: number}>;

export const gatedTool = 'delete_item';
const otherTool = 'get_item';

const plant = (value: unknown): Tree => {
	if (Array.isArray(value)) return {items: value.map(plant)};
	if (typeof value !== 'object' || value === null) return {text: JSON.stringify(value)};
	return {members: Object.entries(value).map(([key, each]) => [JSON.stringify(key), plant(each)])};
};

const callOf = (name: string) => ({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name, arguments: {id: '7'}}});
const ping = {jsonrpc: '2.0', id: 2, method: 'ping'};
const answer = {jsonrpc: '2.0', id: 3, result: {content: []}};

const calls: readonly unknown[] = [
	callOf(gatedTool),
	{jsonrpc: '2.0', id: 'a', method: 'tools/call', params: {_meta: {progressToken: 'p'}, name: gatedTool}},
	{jsonrpc: '2.0', method: 'tools/call', params: {name: gatedTool}},
	[ping, callOf(gatedTool)],
];

const others: readonly unknown[] = [
	callOf(otherTool),
	{jsonrpc: '2.0', id: 5, method: 'tools/call', params: {name: otherTool, arguments: callOf(gatedTool)}},
	{jsonrpc: '2.0', id: 4, method: 'tools/list', params: {cursor: 'é\u2028😀', name: gatedTool}},
	{...ping, params: {_meta: {}}},
	answer,
];

const chosen = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

const membersWithin = (tree: Tree): readonly Members[] => {
	if ('text' in tree) return [];
	if ('items' in tree) return tree.items.flatMap(membersWithin);
	return [tree.members, ...tree.members.flatMap(([, value]) => membersWithin(value))];
};

/** Most often a message or its params. */
const chosenMembers = (tree: Tree, {where}: Dice): Members => {
	const all = membersWithin(tree);
	return all.length === 0 ? [] : chosen([...all.slice(0, 2), ...all], where);
};

/** Stands before a character that is to be written in two bytes although it has one. */
export const overlongMark = '\ue100';

const respellings: readonly ((written: string) => string)[] = [
	(written) => written.toUpperCase(),
	(written) => written.replace(/[a-z]/, (letter) => letter.toUpperCase()),
	(written) => written.replace(/[a-z]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
	(written) => written.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
	(written) => written.replace(/[a-z]/, (letter) => `${overlongMark}${letter}`),
	(written) => written.replace(/[sk]/, (letter) => (letter === 's' ? 'ſ' : '\u212a')),
	(written) => written.replace(/"$/, '\\u0000"'),
	(written) => written.replace(/"$/, ' "'),
	(written) => written.replace(/^"/, '"\u200b'),
	(written) => written.replace(/^"/, '"\ufeff'),
	(written) => written.replace(/"$/, '\\ud800"'),
	(written) => `'${written.slice(1, -1)}'`,
	(written) => written.slice(1, -1),
	(written) => written.replace(/[a-z]/, '\\$&'),
	(written) => written.replace(/[a-z]/, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`),
];

/** What makes another call of it, or none, and what is merely strange. */
const rivals: Readonly<Record<string, readonly unknown[]>> = {
	name: [gatedTool, otherTool, gatedTool, null],
	method: ['tools/call', 'ping', 'tools/call', 'tools/list'],
	params: [{name: gatedTool}, {name: otherTool}, [gatedTool], null],
};

const strange: readonly unknown[] = [gatedTool, 'tools/call', null, 1, '2.0', {}, [], {name: gatedTool}];

const rivalOf = (key: string, how: number): Tree => plant(chosen(rivals[key.replaceAll('"', '')] ?? strange, how >> 4));

const odd = [
	...['1e0', '-0', '1E400', '01', '+1', '0x1', 'NaN', '-Infinity', '.5', '1.', '1_0', 'undefined', 'True'],
	...['9007199254740993', 'null', '"1"', '{}', '[]', '""', "'2.0'", '2.0', '"2.0\\u0000"'],
];

const nested = (tree: Tree, depth: number): Tree => (depth === 0 ? tree : {items: [nested(tree, depth - 1)]});

const wrappings: readonly ((tree: Tree) => Tree)[] = [
	(tree) => ({items: [tree]}),
	(tree) => ({items: [plant(ping), tree]}),
	(tree) => ({items: [tree, plant(answer)]}),
	(tree) => ({items: [{items: [tree]}, plant(ping)]}),
	(tree) => ({members: [['"message"', tree]]}),
	(tree) => ({members: [...(plant(ping) as {members: Members}).members, ['"params"', tree]]}),
	(tree) => ({members: [...(plant(answer) as {members: Members}).members, ['"__proto__"', tree]]}),
	(tree) => ({members: [...(plant(ping) as {members: Members}).members, ['"__proto__"', tree]]}),
	(tree) => ({members: [...(plant(answer) as {members: Members}).members, ['"constructor"', tree]]}),
	(tree) => nested(tree, 63),
	(tree) => nested(tree, 70),
];

const changed =
	(change: (members: Members, dice: Dice) => void) =>
	(tree: Tree, dice: Dice): Tree => {
		change(chosenMembers(tree, dice), dice);
		return tree;
	};

const put = (members: Members, member: Members[number], {where}: Dice): void =>
	void (where % 2 === 0 ? members.unshift(member) : members.push(member));

const telling = ['"name"', '"method"', '"params"'];

/** Most often one that says what is called. */
const keyOf = (members: Members, how: number): string => {
	const keys = members.map(([key]) => key);
	return chosen([...keys, ...keys.filter((key) => telling.includes(key)), '"name"'], how);
};

/** Of the shape of messages: keys, values, and what is in what. */
const shapeMutators: readonly ((tree: Tree, dice: Dice) => Tree)[] = [
	(tree, {how}) => chosen(wrappings, how)(tree),
	changed((members, dice) => {
		const key = keyOf(members, dice.how);
		put(members, [key, rivalOf(key, dice.how)], dice);
	}),
	changed((members, dice) => {
		const key = keyOf(members, dice.how);
		put(members, [chosen(respellings, dice.how >> 3)(key), rivalOf(key, dice.how)], dice);
	}),
	changed((members, {how}) => {
		const member = members[how % Math.max(1, members.length)];
		if (member !== undefined) member[0] = chosen(respellings, how >> 2)(member[0]);
	}),
	changed((members, {how}) => {
		const member = members[how % Math.max(1, members.length)];
		if (member !== undefined && 'text' in member[1]) member[1] = {text: chosen(respellings, how >> 2)(member[1].text)};
	}),
	changed((members, {how}) => void members.splice(how % Math.max(1, members.length), 1)),
	changed((members, {how}) => {
		const member = members[how % Math.max(1, members.length)];
		if (member !== undefined) member[1] = {text: chosen(odd, how >> 2)};
	}),
	changed((members, dice) => put(members, [chosen(['"result"', '"error"', '"id"'], dice.how), plant({})], dice)),
	changed((members) => void members.reverse()),
	changed((members, {how}) => {
		const member = members[how % Math.max(1, members.length)];
		if (member !== undefined && 'members' in member[1]) member[1] = {items: member[1].members.map(([, each]) => each)};
	}),
];

const blanks = ['', '', ' ', '\n', '\r\n\t', '\u00a0', '\f', '\u2028', '\ufeff', '/*"*/', '//"\n', '#\n', '\0', ','];

const write = (tree: Tree, blank: string): string => {
	if ('text' in tree) return tree.text;
	if ('items' in tree) return `[${tree.items.map((item) => write(item, blank)).join(`,${blank}`)}]`;
	const members = tree.members.map(([key, value]) => `${blank}${key}:${blank}${write(value, blank)}`);
	return `{${members.join(',')}}`;
};

const gatedText = JSON.stringify(callOf(gatedTool));

const cut = (text: string, {where, how}: Dice, between: string): string => {
	const at = where % (text.length + 1);
	return text.slice(0, at) + between + text.slice(at + (how % 3));
};

/** Of the text: what stands around, between and instead. */
const textMutators: readonly ((text: string, dice: Dice) => string)[] = [
	(text, {how}) =>
		text + chosen(['{}', gatedText, `\n${gatedText}`, '\0', ',', ']', '}', ';', ' ', `\0${gatedText}`], how),
	(text, {how}) =>
		chosen(['\ufeff', ")]}',\n", 'data: ', ',', '\0', '\x1e', ' ', '//\n', '[', `${gatedText},`], how) + text,
	(text) => text.replaceAll('"', "'"),
	(text) => JSON.stringify(text),
	(text, dice) => cut(text, dice, ''),
	(text, dice) =>
		cut(text, dice, chosen(['"', '\\', '{', '}', ',', ':', '\ud800', '/*', 'é', '\\u0000'], dice.how >> 2)),
	(text, {how}) => text.replaceAll('e', chosen(['\\u0065', 'E', '\\x65', `${overlongMark}e`, 'e\u0301'], how)),
];

const swapBytes = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();

const utf32 = (bytes: Buffer, big: boolean): Buffer =>
	Buffer.concat(
		Array.from(bytes.toString(), (character) => {
			const four = Buffer.alloc(4);
			four.writeUInt32BE(character.codePointAt(0) ?? 0);
			return big ? four : four.reverse();
		}),
	);

const odder = ['ff', 'c080', 'eda080', 'f5808080', '80', '00', 'efbbbf', 'fe', 'c1ae', '0d', '1b'];

const spliced = (bytes: Buffer, {where, how}: Dice, between: Buffer): Buffer => {
	const at = where % (bytes.length + 1);
	return Buffer.concat([bytes.subarray(0, at), between, bytes.subarray(at + (how % 2))]);
};

/** Of the bytes, whatever they mean. */
const byteMutators: readonly ((bytes: Buffer, dice: Dice) => Buffer)[] = [
	(bytes) => Buffer.from(bytes.toString(), 'utf16le'),
	(bytes) => swapBytes(Buffer.from(bytes.toString(), 'utf16le')),
	(bytes) => Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(bytes.toString(), 'utf16le')]),
	(bytes, {how}) => utf32(bytes, how % 2 === 0),
	(bytes) => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]),
	(bytes, dice) => spliced(bytes, dice, Buffer.from(chosen(odder, dice.how >> 1), 'hex')),
	(bytes, dice) => spliced(bytes, dice, Buffer.of(1 << (dice.how % 8))),
	(bytes, dice) => spliced(bytes, dice, Buffer.alloc(0)),
	(bytes, {where, how}) => Buffer.concat([bytes.subarray(0, where % (bytes.length + 1)), bytes.subarray(how % 40)]),
];

/** Writes what is marked for it in two bytes instead of one. */
const encode = (text: string): Buffer =>
	Buffer.from(
		Buffer.from(text)
			.toString('latin1')
			.replaceAll(/\xee\x84\x80([\0-\x7f])/g, (_, letter: string) => {
				const code = letter.charCodeAt(0);
				return String.fromCharCode(0xc0 | (code >> 6), 0x80 | (code & 63));
			}),
		'latin1',
	);

const dice = fc.record({mutator: fc.nat(999), where: fc.nat(9999), how: fc.nat(9999)});
const some = (maxLength: number) => fc.array(dice, {maxLength, size: 'max'});

const mutate = <T>(
	value: T,
	steps: readonly (Dice & {mutator: number})[],
	mutators: readonly ((value: T, dice: Dice) => T)[],
) => steps.reduce((grown, each) => chosen(mutators, each.mutator)(grown, each), value);

/** Bodies of POSTs that were about a call once. Most are changed at one level only: else no mutation would be seen by itself. */
export const mutatedBody: fc.Arbitrary<Buffer> = fc
	.record({seed: fc.nat(999), blank: fc.nat(99), shape: some(3), text: some(1), bytes: some(1)})
	.map(({seed, blank, shape, text, bytes}) => {
		const planted = plant(chosen(seed % 3 === 0 ? others : calls, seed >> 2));
		const written = write(mutate(planted, shape, shapeMutators), blank < 80 ? '' : chosen(blanks, blank));
		const changedText = mutate(written, seed % 4 === 0 ? text : [], textMutators);
		return mutate(encode(changedText), seed % 3 === 1 ? bytes : [], byteMutators);
	});
