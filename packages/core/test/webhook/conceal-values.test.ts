import test from 'ava';
import fc from 'fast-check';
import {concealValues} from '../../src/webhook/rules/conceal-values.ts';
import {bodyOf} from './support.ts';

const conceal = (body: string, values: Readonly<Record<string, string>>, headers = {}) => {
	const answer = {status_code: 200, headers, body: new TextEncoder().encode(body)};
	const concealed = concealValues(answer, new Map(Object.entries(values).map(([key, value]) => [key, {value}])));
	return {body: bodyOf(concealed), headers: concealed.headers};
};

for (const [what, body, expected] of [
	['as it is', 'a pa55"word/ü and pa55"word/ü', 'a {{env.KEY}} and {{env.KEY}}'],
	['in JSON', '{"echo":"pa55\\"word/ü"}', '{"echo":"{{env.KEY}}"}'],
	['in a URL', '/?k=pa55%22word%2F%C3%BC&x=1', '/?k={{env.KEY}}&x=1'],
	['cut off by the end', 'xx pa55"wor', 'xx {{env.KEY}}'],
	['not at all', 'pa55 pa55"wort', 'pa55 pa55"wort'],
] as const) {
	test(`an echoed value ${what} is named, not kept`, (t) => {
		t.is(conceal(body, {KEY: 'pa55"word/ü'}).body, expected);
	});
}

test('headers are looked through too; short values would be found anywhere and stay', (t) => {
	t.deepEqual(conceal('', {KEY: 'abcdef'}, {'x-echo': 'abcdef!'}).headers, {'x-echo': '{{env.KEY}}!'});
	t.is(conceal('abcde', {KEY: 'abcde'}).body, 'abcde');
});

test('of a value that holds another nothing is left', (t) => {
	t.is(conceal('longer-secret secret', {A: 'secret', B: 'longer-secret'}).body, '{{env.B}} {{env.A}}');
});

test('no value survives, wherever and however often it stands', (t) => {
	const text = fc
		.string({minLength: 6, maxLength: 12, unit: 'grapheme'})
		.filter((value) => !'{{env.KEY}}'.includes(value));
	fc.assert(
		fc.property(text, fc.array(fc.string({unit: 'grapheme'})), (value, between) => {
			const {body} = conceal(between.join(value), {KEY: value});
			return !body.replaceAll('{{env.KEY}}', '\u0000').includes(value);
		}),
	);
	t.pass();
});

for (const [what, body] of [
	['nearly holds it at each place', `${'a'.repeat(65_535)}c`],
	['holds it twice, overlapping', 'a'.repeat(65_536)],
] as const) {
	test(`an answer that ${what} takes no longer than its length says`, (t) => {
		const began = process.cpuUsage();
		conceal(body, {KEY: `${'a'.repeat(40_000)}b`, OTHER: 'a'.repeat(65_536)}, {'x-echo': 'a'.repeat(16_000)});
		t.true(process.cpuUsage(began).user < 1_000_000, 'the same, place by place: ten seconds and more');
	});
}
