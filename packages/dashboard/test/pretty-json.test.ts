import test from 'ava';
import {linesOf} from '../src/parts/pretty-json.ts';

const laidOut = (text: string): string =>
	linesOf(text)
		.lines.map((line) => line.map(({text}) => text).join(''))
		.join('\n');

test('JSON is laid out as JSON.stringify does', (t) => {
	for (const value of [{}, [], {a: []}, [{}], {a: 1, b: {c: [1, 'two', null, true], d: 'x: {y}, "z"'}}, [[[]]]])
		t.is(laidOut(JSON.stringify(value)), JSON.stringify(value, undefined, 2));
});

test('large numbers, doubled names and the order of names stay as they were sent', (t) => {
	t.is(
		laidOut('{"2":12345678901234567890,"1":1.0,"1":2}'),
		'{\n  "2": 12345678901234567890,\n  "1": 1.0,\n  "1": 2\n}',
	);
});

test('what is not JSON stays as it is, in its lines', (t) => {
	for (const text of ['', 'plain', '{not json}', 'a\nb\n\nc', '"a text"', '[1, 2']) t.is(laidOut(text), text);
});

test('no line is long, and nothing is lost', (t) => {
	for (const text of ['x'.repeat(100_000), JSON.stringify({text: 'y'.repeat(100_000)})]) {
		const {lines} = linesOf(text);
		for (const line of lines) t.true(line.map((token) => token.text).join('').length <= 2010);
		t.is(
			lines
				.flat()
				.map((token) => token.text)
				.join('')
				.replaceAll(/\s/g, ''),
			text,
		);
	}
});

test('a text of many megabytes is laid out like any other', (t) => {
	for (const text of ['A'.repeat(20_000_000), '\\\\\\"'.repeat(4_000_000), '\\n'.repeat(10_000_000)]) {
		const {json, lines} = linesOf(`{"data": "${text}", "next": 1}`);
		t.true(json);
		const shown = lines.map((line) => line.map((token) => token.text).join('')).join('');
		t.is(shown.length, `{  "data": "${text}",  "next": 1}`.length);
	}
});
