import test from 'ava';
import fc from 'fast-check';
import {withMember} from '../../src/proxy/hold/json-member.ts';

const path = ['params', 'requestState'] as const;
const rewrite = (text: string, state: string | undefined) => withMember(Buffer.from(text), path, state).toString();

const cases: readonly (readonly [before: string, state: string | undefined, after: string])[] = [
	['{"params":{"requestState":"a"}}', 'b', '{"params":{"requestState":"b"}}'],
	['{"params":{"requestState":"a"}}', undefined, '{"params":{}}'],
	['{"params":{"requestState":"a","name":"x"}}', undefined, '{"params":{"name":"x"}}'],
	['{"params":{"name":"x","requestState":"a"}}', undefined, '{"params":{"name":"x"}}'],
	[
		'{"params" : { "name" : "x" , "requestState" : "a" , "b" : 1.0 } }',
		undefined,
		'{"params" : { "name" : "x"  , "b" : 1.0 } }',
	],
	['{"params":{"requestState":"a\\"}{,"}, "id":1}', '"', '{"params":{"requestState":"\\""}, "id":1}'],
	[
		'{"params":{"a":{"requestState":"in"}},"requestState":"out"}',
		undefined,
		'{"params":{"a":{"requestState":"in"}},"requestState":"out"}',
	],
	['{"params":{"a":1}}', 'b', '{"params":{"requestState":"b","a":1}}'],
	['{"params":{ }}', 'b', '{"params":{"requestState":"b" }}'],
	['{"params":{"requestState":null}}', 'b', '{"params":{"requestState":"b"}}'],
	['{"params":{"requestState":[{"]":1}]}}', 'b', '{"params":{"requestState":"b"}}'],
	['{"params":{"request\\u0053tate":"a"}}', 'b', '{"params":{"request\\u0053tate":"b"}}'],
	['{"params":{"requestState":"a","requestState":"b"}}', 'c', '{"params":{"requestState":"a","requestState":"c"}}'],
	['{"params":[{"requestState":"a"}]}', 'b', '{"params":[{"requestState":"a"}]}'],
	['{"params":null}', 'b', '{"params":null}'],
	['[{"params":{}}]', 'b', '[{"params":{}}]'],
	['7', 'b', '7'],
	['\n{"params"\t:\r\n{"x":-1e5,"requestState":"a"}}\n', undefined, '\n{"params"\t:\r\n{"x":-1e5}}\n'],
];

for (const [before, state, after] of cases)
	test(`${JSON.stringify(state)} in ${before}`, (t) => void t.is(rewrite(before, state), after));

/** JSON of any value, written with blanks wherever JSON allows them. */
const spaced = (value: unknown, blanks: string): string =>
	JSON.stringify(value, null, blanks).replaceAll('\n', `\n${blanks}`);

test('whatever else a message holds stays as it is, and reads so', (t) => {
	const anyParams = fc.dictionary(fc.string(), fc.jsonValue());
	const message = fc.record({id: fc.jsonValue(), params: anyParams, method: fc.string()}, {noNullPrototype: true});
	const state = fc.option(fc.string({unit: 'binary'}), {nil: undefined});
	const written = fc.record({blanks: fc.constantFrom('', ' ', '\t', '\r\n '), message, state, own: fc.boolean()});
	fc.assert(
		fc.property(written, ({blanks, message: {params, ...rest}, state: given, own}) => {
			const {requestState: _, ...others} = params as Record<string, unknown>;
			const sent = {...rest, params: own ? {...others, requestState: 'ours'} : others};
			const after = JSON.parse(rewrite(spaced(sent, blanks), given));
			const wanted = {...rest, params: given === undefined ? others : {...others, requestState: given}};
			t.deepEqual(after, JSON.parse(JSON.stringify(wanted)));
		}),
		{numRuns: 500},
	);
});
