import test from 'ava';
import fc from 'fast-check';
import {parseJson} from '../../src/values/parse-json.ts';
import {removeMember, setMember} from '../../src/webhook/rules/json-edit.ts';

const set = (text: string, path: string, value: string): string => {
	const edit = setMember(text, path.split('.'), value);
	return edit.ok ? edit.text : `refused: ${edit.message}`;
};

for (const [text, path, value, expected] of [
	['{}', 'a', '1', '{"a":1}'],
	['{ }', 'a', '1', '{"a":1 }'],
	['{"a": 1}', 'a', '2', '{"a": 2}'],
	['{"a":1}', 'b', '2', '{"a":1,"b":2}'],
	[' {"a" : 1 , "b":[1,{"c":"}"}]}\n', 'b', 'null', ' {"a" : 1 , "b":null}\n'],
	['{"a":{"b":1,"x":12345678901234567890}}', 'a.b', '2', '{"a":{"b":2,"x":12345678901234567890}}'],
	['{}', 'a.b.c', '1', '{"a":{"b":{"c":1}}}'],
	['{"a":null}', 'a.b', '1', '{"a":{"b":1}}'],
	['{"a":[{"b":1},{"b":2}]}', 'a.1.b', '3', '{"a":[{"b":1},{"b":3}]}'],
	['{"a":5}', 'a.b', '1', 'refused: a is no object that could hold b'],
	['[1]', 'a', '1', 'refused: the body is no object that could hold a'],
	['{"a":1,"a":2}', 'a', '3', '{"a":1,"a":3}'],
	['{"\\u0061":1}', 'a', '2', '{"\\u0061":2}'],
	['{"2":1,"1":1}', '1', '9', '{"2":1,"1":9}'],
	['{"__proto__":1}', '__proto__', '2', '{"__proto__":2}'],
	['{"a":"\\"}"}', 'b', '1', '{"a":"\\"}","b":1}'],
] as const) {
	test(`sets ${path} in ${JSON.stringify(text)}`, (t) => {
		t.is(set(text, path, value), expected);
	});
}

for (const [text, path, expected] of [
	['{"a":1}', 'a', '{}'],
	['{"a":1,"b":2}', 'a', '{"b":2}'],
	['{"a":1, "b":2 }', 'b', '{"a":1 }'],
	['{"a":1,"b":2,"c":3}', 'b', '{"a":1,"c":3}'],
	['{"a":1,"b":2,"a":3}', 'a', '{"b":2}'],
	['{ "a":1, "a":2 , "b":3, "a":4}', 'a', '{ "b":3}'],
	['{"b":1, "a":2, "a":3, "c":4}', 'a', '{"b":1, "c":4}'],
	['{"a":{"b":1}}', 'a.b', '{"a":{}}'],
	['{"a":[{"b":1}]}', 'a.0.b', '{"a":[{}]}'],
	['{"a":1}', 'b', '{"a":1}'],
	['{"a":1}', 'a.b', '{"a":1}'],
	['[1]', '0', '[1]'],
] as const) {
	test(`removes ${path} from ${JSON.stringify(text)}`, (t) => {
		t.is(removeMember(text, path.split('.')), expected);
	});
}

const name = fc.constantFrom('a', 'b', '1', '"', '\\', 'é', '}');

/** Any JSON text, with blanks, whose objects repeat no key. */
const json = fc
	.tuple(fc.jsonValue({maxDepth: 4}), fc.dictionary(name, fc.jsonValue({maxDepth: 2})), fc.constantFrom(0, 1, '\t'))
	.map(([value, object, indent]) => JSON.stringify({...object, value}, null, indent));

test('what an edit makes reads as the object with that member changed, and keeps the rest', (t) => {
	fc.assert(
		fc.property(json, name, fc.jsonValue({maxDepth: 2}), (text, key, value) => {
			const edit = setMember(text, [key], JSON.stringify(value));
			if (!edit.ok) throw new Error(edit.message);
			t.deepEqual(parseJson(edit.text), parseJson(JSON.stringify({...(parseJson(text) as object), [key]: value})));
			const {[key]: _, ...rest} = parseJson(text) as Record<string, unknown>;
			t.deepEqual(parseJson(removeMember(text, [key])), rest);
		}),
		{numRuns: 2000},
	);
});
