import test from 'ava';
import fc from 'fast-check';
import {readStrictJson, type StrictJsonFailure, type StrictJsonOptions} from '../../src/values/strict-json.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const read = (text: string, options?: StrictJsonOptions) => readStrictJson(bytesOf(text), options);

const parsed = (text: string, options?: StrictJsonOptions): unknown => {
	const result = read(text, options);
	if (!result.ok) throw new Error(`${result.code} ${result.path}`);
	return result.value;
};

const failureOf = (text: string | Uint8Array, options?: StrictJsonOptions): string => {
	const result = typeof text === 'string' ? read(text, options) : readStrictJson(text, options);
	return result.ok ? 'ok' : `${result.code} ${result.path}`;
};

test('every value that JSON.stringify writes is read as JSON.parse reads it', (t) => {
	fc.assert(
		fc.property(fc.jsonValue({maxDepth: 8}), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
			const text = JSON.stringify(value, undefined, indent);
			t.deepEqual(parsed(text), JSON.parse(text));
		}),
		{numRuns: 2000},
	);
});

test('a text is read exactly when JSON.parse reads it and nothing forbidden is in it', (t) => {
	const text = fc.string({unit: fc.constantFrom(...'{}[],:"\\u0a1 tn', 'true', '"a":', '"b":', '1,'), maxLength: 20});
	fc.assert(
		fc.property(text, (candidate) => {
			const result = read(candidate);
			const isJson = (() => {
				try {
					JSON.parse(candidate);
					return true;
				} catch {
					return false;
				}
			})();
			if (result.ok) t.true(isJson, candidate);
			else t.is(isJson, ['duplicate_key', 'forbidden_character'].includes(result.code), candidate);
		}),
		{numRuns: 5000},
	);
});

test('what is not one JSON text is refused, and no message quotes it', (t) => {
	for (const text of [
		'',
		' ',
		'{',
		'{}{}',
		'[] 1',
		'{"a":1,}',
		"{'a':1}",
		'NaN',
		'01',
		'"\t"',
		'\u00a0{}',
		'"\\x"',
		']',
		'}}',
		'"',
	]) {
		t.is(failureOf(text), 'syntax ', text);
	}
	const failure = read('{"password": hunter2}') as StrictJsonFailure;
	t.regex(failure.message, /^is not valid JSON/);
	t.notRegex(failure.message, /hunter|password/);
});

test('only UTF-8 without a byte order mark is read', (t) => {
	t.is(failureOf(Uint8Array.of(0x22, 0xff, 0x22)), 'not_utf8 ');
	t.is(failureOf(Uint8Array.of(0x22, 0xc0, 0x80, 0x22)), 'not_utf8 ');
	t.is(failureOf(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), 'not_utf8 ');
	t.is(failureOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)), 'syntax ');
	t.is(failureOf(Uint8Array.of(0x7b, 0, 0x7d, 0)), 'syntax ');
});

test('size and depth are bounded before anything is built', (t) => {
	t.is(failureOf('[1,2]', {max_bytes: 4}), 'too_large ');
	t.is(failureOf('[1,2]', {max_bytes: 5}), 'ok');
	const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
	t.is(failureOf(nested(64)), 'ok');
	t.is(failureOf(nested(65)).split(' ')[0], 'too_deep');
	t.is(failureOf('{"a":[[1]]}', {max_depth: 2}), 'too_deep a.0');
	t.is(failureOf('['.repeat(5_000_000)).split(' ')[0], 'too_deep');
	t.is(failureOf('{"a":'.repeat(5000)).split(' ')[0], 'too_deep');
});

test('more members than may be are refused, wherever they stand, before anything is built of them', (t) => {
	const most = {max_members: 4};
	for (const text of [
		'[1,2,3,4]',
		'{"a":1,"b":2,"c":3,"d":4}',
		'{"a":[1,2,3]}',
		'[[],"[,,,,{",1]',
		'{"a":{"b":{"c":1}}}',
	])
		t.is(failureOf(text, most), 'ok', text);
	for (const text of [
		'[1,2,3,4,5]',
		'{"a":1,"b":2,"c":3,"d":4,"e":5}',
		'{"a":[1,2,3,4]}',
		'[[],{},[],{}]',
		'[[[[[]]]]]',
	])
		t.is(failureOf(text, most), 'too_many ', text);
	t.is(failureOf(`{"a":1,"a":2,${','.repeat(5_000_000)}`, most), 'too_many ');
	t.is(failureOf(`[${'0,'.repeat(100_000)}0]`), 'ok');
});

test('a repeated key is refused, with its path', (t) => {
	t.is(failureOf('{"a":1,"b":2,"a":3}'), 'duplicate_key a');
	t.is(failureOf('{"a":{"b":[{"c":1,"c":1}]}}'), 'duplicate_key a.b.0.c');
	t.is(failureOf('{"a":1,"\\u0061":2}'), 'duplicate_key a');
	t.is(failureOf('[{"a":1},{"a":1}]'), 'ok');
	t.is(failureOf('{"a":{"a":{"a":1}},"b":["a","a"]}'), 'ok');
	t.is(failureOf('{"__proto__":1,"__proto__":2}'), 'duplicate_key __proto__');
});

test('under envelope only a message, those of a batch, and their params are judged', (t) => {
	const options = {unique_keys: 'envelope'} as const;
	t.is(failureOf('{"id":1,"id":2}', options), 'duplicate_key id');
	t.is(failureOf('{"params":{"name":"a","name":"b"}}', options), 'duplicate_key params.name');
	t.is(failureOf('[{"id":1},{"id":1,"id":2}]', options), 'duplicate_key 1.id');
	t.is(failureOf('[{"params":{"name":"a","name":"b"}}]', options), 'duplicate_key 0.params.name');
	t.is(failureOf('{"params":{"arguments":{"a":1,"a":2}}}', options), 'ok');
	t.is(failureOf('{"result":{"a":1,"a":2}}', options), 'ok');
	t.is(failureOf('{"result":{"params":{"a":1,"a":2}}}', options), 'ok');
});

test('keys that look like another one, or like the protocol, are refused in the envelope and params', (t) => {
	const options = {unique_keys: 'envelope', refuse_look_alikes: true} as const;
	for (const text of [
		'{"method":"a","Method":"b"}',
		'{"Method":"b"}',
		'{"METHOD":"b"}',
		'{"m\\u0065thod":"b"}',
		'{"\uff4dethod":"b"}',
		'{"method\u200b":"b"}',
		'{"method ":"b"}',
		'{"param\u017f":{}}',
		'{"params":{"Name":"a"}}',
		'{"params":{"name":"a","NAME":"b"}}',
		'{"params":{"Arguments":{}}}',
		'{"params":{"x":1,"X":2}}',
		'[{"Method":"b"}]',
		'{"__proto__":{}}',
		'{"\\u005f_proto__":{}}',
		'{"params":{"__proto__":{}}}',
	]) {
		t.is(failureOf(text, options).split(' ')[0], 'look_alike_key', text);
		t.is(failureOf(text, {unique_keys: 'envelope'}), 'ok', text);
	}
	const usual =
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1,"A":2},"_meta":{"progressToken":1}}}';
	t.is(failureOf(usual, options), 'ok');
});

test('NUL and lone surrogates are refused where they stand, unless every character may pass', (t) => {
	for (const [text, path] of [
		['{"a":"x\\u0000"}', 'a'],
		['{"a":["\\ud800"]}', 'a.0'],
		['{"a":"\\udc00"}', 'a'],
		['{"a":"\\ud800x\\udc00"}', 'a'],
		['{"a":"\\ud800\\ud800"}', 'a'],
		['{"b":{"\\u0000":1}}', 'b.\u0000'],
	] as const) {
		t.is(failureOf(text), `forbidden_character ${path}`, text);
		t.is(failureOf(text, {any_character: true}), 'ok', text);
	}
	for (const text of ['"\\ud83d\\ude00"', '"\\\\u0000"', '"\\\\\\\\ud800"', '"😀"', '"\\u00e9\\n\\""'])
		t.is(failureOf(text), 'ok', text);
});

test('[APR-078] the range of params.arguments covers its very bytes', (t) => {
	const json = fc.jsonValue({maxDepth: 4}).map((value) => JSON.stringify(value));
	const blank = fc.string({unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3});
	fc.assert(
		fc.property(
			fc.record({args: json, other: json, space: blank, last: fc.boolean()}),
			({args, other, space, last}) => {
				const member = `${space}"arguments"${space}:${space}${args}${space}`;
				const members = last ? `"o":${other},${member}` : `${member},"o":${other}`;
				const text = `{"é":${other},"params"${space}:{${members}},"arguments":{"params":{"arguments":1}}}`;
				const result = read(text);
				if (!result.ok || !result.arguments_range) return t.fail(text);
				const bytes = bytesOf(text).subarray(result.arguments_range.start, result.arguments_range.end);
				t.is(new TextDecoder().decode(bytes), args);
			},
		),
		{numRuns: 1000},
	);
	for (const text of [
		'{"params":{}}',
		'{"arguments":1}',
		'[{"params":{"arguments":1}}]',
		'{"params":[{"arguments":1}]}',
		'{"a":{"arguments":1}}',
	]) {
		const result = read(text);
		t.true(result.ok && result.arguments_range === undefined, text);
	}
	const escaped = read('{"p\\u0061rams":{"argument\\u0073": 5 }}');
	t.deepEqual(escaped.ok && escaped.arguments_range, {start: 34, end: 35});
});

test('a key __proto__ is an own property and pollutes nothing', (t) => {
	const value = parsed('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object;
	t.true(Object.hasOwn(value, '__proto__'));
	t.is(Object.getPrototypeOf(value), Object.prototype);
	t.is(({} as Record<string, unknown>).polluted, undefined);
});

test('reading takes linear time, also for texts made to blow up', (t) => {
	const size = 2_000_000;
	const keys = Array.from({length: size / 20}, (_, index) => `"k${index}":1`).join(',');
	for (const text of [
		`"${'\\n'.repeat(size / 2)}"`,
		`"${'\\u0041'.repeat(size / 6)}"`,
		`"${'\\\\'.repeat(size / 2)}`,
		`[${'"",'.repeat(size / 3)}""]`,
		`[${'{},'.repeat(size / 3)}{}]`,
		`{"params":{${keys}}}`,
		`{"params":{"arguments":"${'a'.repeat(size)}"}}`,
		' '.repeat(size),
	]) {
		const begun = performance.now();
		read(text, {refuse_look_alikes: true});
		t.true(performance.now() - begun < 3000, text.slice(0, 20));
	}
});
