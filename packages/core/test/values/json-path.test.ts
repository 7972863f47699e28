import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import {FunctionExpressionType, JSONPathEnvironment} from 'json-p3';
import {compileJsonPath} from '../../src/values/json-path.ts';
import {parseLosslessJson} from '../../src/values/parse-json.ts';

const push = {
	ref: 'refs/heads/main',
	commits: [
		{id: 'a1', author: {name: 'Ada'}, files: 3},
		{id: 'b2', author: {name: 'Bob\nson'}, files: 12},
	],
	repository: {name: 'signalbox', private: true, owner: null},
};

for (const [path, expected] of [
	['$.ref', ['refs/heads/main']],
	["$['repository']['name']", ['signalbox']],
	['$.commits[0].id', ['a1']],
	['$.commits[-1].id', ['b2']],
	['$.commits[*].id', ['a1', 'b2']],
	['$..name', ['Ada', 'Bob\nson', 'signalbox']],
	['$.commits[?@.files > 10].id', ['b2']],
	["$.commits[?@.author.name == 'Ada'].id", ['a1']],
	["$.commits[?match(@.id, '[a-z][0-9]')].id", ['a1', 'b2']],
	["$.commits[?match(@.id, '[0-9]')].id", []],
	["$.commits[?search(@.id, '[0-9]')].id", ['a1', 'b2']],
	["$.commits[?match(@.author.name, 'Bob.son')].id", []],
	["$.commits[?search(@.author.name, '[.]')].id", []],
	['$.commits[?length(@.author.name) == 3].id', ['a1']],
	['$.commits[0:1].id', ['a1']],
	['$.repository.owner', [null]],
	['$.nothing', []],
	['$', [push]],
] as const) {
	test(`[MID-040] ${path}`, (t) => {
		t.deepEqual(compileJsonPath(path).select(push), expected);
	});
}

for (const [path, problem] of [
	['ref', /./],
	['$.', /./],
	['$[?(@.a = 1)]', /./],
	['$[?@.constructor()]', /./],
	['$[?process.exit()]', /./],
	["$[?match(@.a, '(?=b)')]", /pattern of match/],
	["$[?match(@.a, '(')]", /pattern of match/],
	["$[?search(@.a, 'a{1000}')]", /repeats too much/],
	['$[?match(@.a, @.b)]', /must be a text that stands in the path/],
	['$..a..b', /twice/],
	['$[?@..a]', /must not hold \.\./],
	['$[?@[?@.a]]', /must not hold another/],
	['$[?@.a == $.b[*]]', /./],
	['$[?count($.b[*]) > 1]', /one place/],
	['$[0,-1][0,-1][0,-1]', /several selectors/],
	[`$[${'*,'.repeat(16)}*]`, /16 selectors/],
	[`$${'.a'.repeat(65)}`, /64 segments/],
	[`$.${'a'.repeat(1024)}`, /longer than/],
] as const) {
	test(`[MID-045] refused: ${path.slice(0, 60)}`, (t) => {
		t.regex(t.throws(() => compileJsonPath(path), {instanceOf: SyntaxError})?.message ?? '', problem);
	});
}

test('reads own properties only', (t) => {
	for (const name of ['constructor', '__proto__', 'toString', 'length'])
		t.deepEqual(compileJsonPath(`$.${name}`).select({}), []);
	t.deepEqual(compileJsonPath('$.__proto__').select(JSON.parse('{"__proto__": 1}')), [1]);
});

test('a body of any depth is walked, and what takes too many steps is told', (t) => {
	const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
	t.deepEqual(compileJsonPath('$..a').select(deep), []);
	t.throws(() => compileJsonPath('$..[?@ == $[0]]').select(deep), {instanceOf: RangeError, message: /too long/});
	const wide = Array.from({length: 500_000}, (_, index) => index);
	t.throws(() => compileJsonPath('$[*]').select(wide), {instanceOf: RangeError, message: /too long/});
	t.deepEqual(compileJsonPath('$[-1]').select(wide), [499_999]);
});

test('a number that a double cannot hold is a number, not an object', (t) => {
	const body = parseLosslessJson('{"n": 12345678901234567890, "m": [12345678901234567890]}');
	t.deepEqual(compileJsonPath('$..rawJSON').select(body), []);
	t.deepEqual(compileJsonPath('$.n[*]').select(body), []);
	t.is(JSON.stringify(compileJsonPath('$.m[?@ > 5]').select(body)), '[12345678901234567890]');
	t.is(compileJsonPath('$.m[?@ == $.n]').select(body).length, 1);
});

test('length counts characters, not UTF-16 units', (t) => {
	t.deepEqual(compileJsonPath('$[?length(@) == 2]').select(['é😀', '😀', 'ab', [1, 2], {a: 1}]), ['é😀', 'ab', [1, 2]]);
});

test('an object never equals an array', (t) => {
	for (const [object, array] of [
		[{}, []],
		[{'0': 'a'}, ['a']],
	])
		for (const body of [
			[object, array],
			[array, object],
		])
			t.deepEqual(compileJsonPath('$[?@ == $[0]]').select(body), [body[0]]);
});

const name = fc.constantFrom('a', 'b', 'c', '0');
const index = fc.integer({min: -3, max: 3});
const optional = fc.oneof(fc.constant(''), index.map(String));
const singular = fc
	.array(
		fc.oneof(
			name.map((text) => `['${text}']`),
			index.map((at) => `[${at}]`),
		),
		{maxLength: 2},
	)
	.map((steps) => steps.join(''));
const nodes = fc.tuple(fc.constantFrom('@', '$'), singular).map((parts) => parts.join(''));
const comparable = fc.oneof(
	nodes,
	nodes.map((text) => `length(${text})`),
	singular.map((text) => `count(@${text}[*])`),
	singular.map((text) => `value(@${text}[0])`),
	fc.constantFrom('1', '-1.5', "'a'", 'null', 'true', 'false', "''"),
);
const logical = fc.oneof(
	nodes,
	nodes.map((text) => `match(${text}, '[ab]')`),
	nodes.map((text) => `!search(${text}, 'a|1')`),
	fc
		.tuple(comparable, fc.constantFrom('==', '!=', '<', '<=', '>', '>='), comparable)
		.map(([left, operator, right]) => `${left} ${operator} ${right}`),
);
const filter = fc
	.tuple(logical, fc.constantFrom('&&', '||'), logical, fc.boolean())
	.map(([left, operator, right, isNegated]) => `?${isNegated ? '!' : ''}(${left} ${operator} ${right})`);
const slice = fc.tuple(optional, optional, optional).map((parts) => parts.join(':'));
const selector = fc.oneof(
	name.map((text) => `'${text}'`),
	index.map(String),
	slice,
	fc.constant('*'),
	filter,
	logical.map((text) => `?${text}`),
);
const bracket = fc.array(selector, {minLength: 1, maxLength: 2}).map((selectors) => `[${selectors.join(', ')}]`);
const query = fc
	.tuple(fc.array(bracket, {maxLength: 1}), fc.constantFrom('', '..'), fc.array(bracket, {minLength: 1, maxLength: 1}))
	.map(([before, dots, after]) => `$${before.join('')}${dots}${after.join('')}`);
const leaf = fc.constantFrom(null, true, false, 0, 1, -1.5, '', 'a', 'ab', '1');
const {value: anyBody} = fc.letrec<{value: unknown}>((tie) => ({
	value: fc.oneof(
		{maxDepth: 4, withCrossShrink: true},
		leaf,
		fc.array(tie('value'), {maxLength: 4}),
		// None is empty: the library takes an object for equal to an array with the same keys, as {} and [].
		fc.dictionary(name, tie('value'), {maxKeys: 4}).map((fields) => ({...fields, d: null})),
	),
}));

test('selects what the library that parses the paths selects', (t) => {
	const reference = new JSONPathEnvironment();
	// Its own takes an array of one text for that text.
	for (const [name, pattern] of [
		['match', (text: string) => `^(?:${text})$`],
		['search', (text: string) => text],
	] as const)
		reference.functionRegister.set(name, {
			argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
			returnType: FunctionExpressionType.LogicalType,
			call: (value, source) => typeof value === 'string' && new RegExp(pattern(source as string), 'u').test(value),
		});
	const isSame = fc.property(query, anyBody, (path, body) => {
		const expected = reference.compile(path).query(body as Parameters<typeof reference.query>[1]);
		return isDeepStrictEqual(compileJsonPath(path).select(body), expected.values());
	});
	t.notThrows(() => fc.assert(isSame, {numRuns: 5000}));
});
