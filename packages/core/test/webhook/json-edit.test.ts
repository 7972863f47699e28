import test from 'ava';
import fc from 'fast-check';
import {parseJson} from '../../src/values/parse-json.ts';
import {draftJson} from '../../src/webhook/rules/json-edit.ts';

const set = (text: string, steps: readonly string[], value: string): string => {
	const draft = draftJson(text);
	const hindrance = draft.set(steps, value);
	return hindrance === undefined ? draft.text() : `refused: ${hindrance}`;
};

const remove = (text: string, steps: readonly string[]): string => {
	const draft = draftJson(text);
	draft.remove(steps);
	return draft.text();
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
		t.is(set(text, path.split('.'), value), expected);
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
		t.is(remove(text, path.split('.')), expected);
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
			t.deepEqual(
				parseJson(set(text, [key], JSON.stringify(value))),
				parseJson(JSON.stringify({...(parseJson(text) as object), [key]: value})),
			);
			const {[key]: _, ...rest} = parseJson(text) as Record<string, unknown>;
			t.deepEqual(parseJson(remove(text, [key])), rest);
		}),
		{numRuns: 2000},
	);
});

const edit = fc.record({
	steps: fc.array(name, {minLength: 1, maxLength: 3}),
	value: fc.option(fc.jsonValue({maxDepth: 2})),
});

test('edits one upon the other make what each makes of the text of the one before', (t) => {
	fc.assert(
		fc.property(json, fc.array(edit, {maxLength: 8}), (text, edits) => {
			const draft = draftJson(text);
			let expected = text;
			for (const {steps, value} of edits) {
				const by = JSON.stringify(value);
				const refused = value === null ? draft.remove(steps) : draft.set(steps, by);
				const alone = value === null ? remove(expected, steps) : set(expected, steps, by);
				if (refused === undefined) expected = alone;
				else t.is(alone, `refused: ${refused}`);
				t.is(draft.text(), expected);
			}
		}),
		{numRuns: 2000},
	);
});

test('however many edits there are, the text is looked at once', (t) => {
	const text = JSON.stringify({items: Array.from({length: 18_000}, (_, id) => ({id, url: `https://a.example/${id}`}))});
	const timeFor = (edits: number): number => {
		const begun = performance.now();
		const draft = draftJson(text);
		for (let index = 0; index < edits; index += 1) draft.set([`key${index}`], '1');
		draft.text();
		return performance.now() - begun;
	};
	const quickest = (edits: number) => Math.min(...Array.from({length: 5}, () => timeFor(edits)));
	// Looked at anew for each, it takes hundreds of times as long.
	t.true(quickest(500) < 20 * quickest(1));
});
