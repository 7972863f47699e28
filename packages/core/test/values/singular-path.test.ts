import test from 'ava';
import fc from 'fast-check';
import {parseSingularPath, singularPathProblem} from '../../src/values/singular-path.ts';

test('singular queries of RFC 9535 are read', (t) => {
	for (const [text, path] of [
		['$', []],
		['$.a.b_1', ['a', 'b_1']],
		['$[0][-1][12]', [0, -1, 12]],
		[`$["a b"]['c"d']["e\\"f"]['g\\'h']["\\u00e9"]`, ['a b', 'c"d', 'e"f', "g'h", 'é']],
		['$.é.日本', ['é', '日本']],
		['$.params.arguments["card.number"][0].x', ['params', 'arguments', 'card.number', 0, 'x']],
	] as const) {
		t.deepEqual(parseSingularPath(text), path, text);
	}
});

test('everything else is refused with a message', (t) => {
	for (const text of [
		'',
		'a',
		'.a',
		'$a',
		'$.',
		'$..a',
		'$.*',
		'$[*]',
		'$[0:1]',
		'$[?@.a]',
		'$[01]',
		'$[-0]',
		'$[a]',
		'$["a]',
		'$.a b',
		'$["\\x"]',
		'$ .a',
		'$.1a',
	]) {
		t.is(typeof singularPathProblem(text), 'string', text);
	}
});

test('any name can be quoted', (t) => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme'}), (name) => {
			t.deepEqual(parseSingularPath(`$[${JSON.stringify(name)}]`), [name]);
		}),
	);
});
