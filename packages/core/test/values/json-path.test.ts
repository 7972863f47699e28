import test from 'ava';
import {compileJsonPath} from '../../src/values/json-path.ts';

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

test('what is too deep or too wide is told, and nothing crashes', (t) => {
	const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
	t.throws(() => compileJsonPath('$..a').select(deep), {instanceOf: RangeError});
	const wide = Array.from({length: 500_000}, (_, index) => index);
	t.notThrows(() => {
		try {
			compileJsonPath('$[*]').select(wide);
		} catch (error) {
			if (!(error instanceof RangeError)) throw error;
		}
	});
});
