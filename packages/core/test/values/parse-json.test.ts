import test from 'ava';
import fc from 'fast-check';
import {holdsLongNumber, parseJson, parseLosslessJson} from '../../src/values/parse-json.ts';
import {readStrictJson} from '../../src/values/strict-json.ts';

const keysOf = (value: unknown): readonly string[] => Object.keys(value as object);

for (const [known, escaped] of [
	['all\\\\', 'all\\n'],
	['all\\\\', 'all\\"'],
	['metho\\\\', 'metho\\u0064'],
	['\\\\u', '\\u0061\\u0062'],
	['\\\\u006d', '\\u006d\\u0065\\u0074\\u0068\\u006f\\u0064'],
] as const) {
	test(`a key "${escaped}" reads as it is written, also after a key "${known}"`, (t) => {
		for (const parse of [parseJson, (text: string) => read(text)]) {
			for (let round = 0; round < 3; round += 1) parse(`{"first":1,"${known}":2}`);
			t.deepEqual(keysOf(parse(`{"first":1,"${escaped}":2}`)), ['first', JSON.parse(`"${escaped}"`)]);
		}
	});
}

const read = (text: string): unknown => {
	const json = readStrictJson(Buffer.from(text), {any_character: true});
	if (!json.ok) throw new Error(json.message);
	return json.value;
};

/** Keys and values that bring backslashes, quotes and colons. */
const awkward = fc.string({unit: fc.constantFrom('a', '0', '\\', '"', '\n', ':', 'é'), maxLength: 4});
const text = fc
	.dictionary(awkward, fc.oneof(awkward, fc.array(fc.dictionary(awkward, awkward))))
	.map((value) => JSON.stringify({...value, __proto__x: 1}).replace('__proto__x', '__proto_\\u005f'));

/** Each key alone, so that there is none that it could be taken for. */
const entriesOf = (value: unknown): unknown => {
	if (typeof value !== 'object' || value === null) return value;
	return Array.isArray(value)
		? value.map(entriesOf)
		: Object.entries(value).map(([key, inner]) => [key, entriesOf(inner)]);
};

test('what is read is what was written', (t) => {
	fc.assert(
		fc.property(fc.dictionary(awkward, fc.oneof(awkward, fc.array(fc.dictionary(awkward, awkward)))), (value) => {
			t.deepEqual(entriesOf(parseJson(JSON.stringify(value))), entriesOf(value));
		}),
		{numRuns: 3000},
	);
});

test('a key __proto__ is an own property, however it is written', (t) => {
	fc.assert(fc.property(text, (json) => Object.hasOwn(parseJson(json) as object, '__proto__')));
	t.pass();
});

test('a repeated key has its last value', (t) => {
	t.deepEqual(parseJson('{"a\\n":1,"b":2,"a\\u000a":3}'), {'a\n': 3, b: 2});
});

test('what is no JSON is refused as JSON.parse refuses it', (t) => {
	for (const text of ['{"a\\n":1', '{"\\x":1}', '"\\"', '{"a\\n" 1}'])
		t.throws(() => parseJson(text), {name: 'SyntaxError'});
});

for (const number of [
	'12345678901234567890',
	'-9007199254740993',
	'1.00000000000000000001',
	'0.1234567890123456789',
	'1e400',
	'1e-400',
	'2.50',
]) {
	test(`[MID-053] ${number} is written with the digits that were read`, (t) => {
		const text = `{"a\\n":[${number}]}`;
		t.is(JSON.stringify(parseLosslessJson(text)), text.replace('2.50', '2.5'));
	});
}

for (const number of ['12345678901234567890', '-9007199254740993', '0.1234567890123456789', '1e400', '-2.5E-400'])
	for (const text of [number, `[${number}]`, `{"a": ${number}}`, `[1,\t${number} ]`])
		test(`${text} holds a number that a double cannot`, (t) => t.true(holdsLongNumber(text)));

test('numbers that are written again as they stand, and digits in texts, are no long numbers', (t) => {
	fc.assert(fc.property(fc.jsonValue(), (value) => !holdsLongNumber(JSON.stringify(value, undefined, 1))));
	t.false(holdsLongNumber('{"a":"12345678901234567890","b":[1.50,1e3,9007199254740992,0.10]}'));
});

test('a number is long exactly where JSON.stringify would write other digits', (t) => {
	const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?\d{1,3})?$/);
	fc.assert(
		fc.property(digits, (number) => {
			const isKept = JSON.stringify(parseLosslessJson(number)) === JSON.stringify(JSON.parse(number));
			t.is(holdsLongNumber(`[${number}]`), !isKept, number);
		}),
	);
});
