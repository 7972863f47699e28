import {instantOf, millisecondsBetween, millisecondsOf} from '@signalbox/core';
import test from 'ava';

const minute = 60_000;
const start = Date.parse('2026-01-31T23:58:30.000Z');

test('an instant reads as the milliseconds that it was made of, whatever was read before', (t) => {
	const moments = Array.from({length: 400}, (_, count) => start + count * 997 + (count % 3) * 7 * minute);
	for (const moment of moments) t.is(millisecondsOf(instantOf(moment)), moment);
});

test('between instants lie their milliseconds, across minutes and backwards', (t) => {
	t.is(millisecondsBetween(instantOf(start), instantOf(start + 29_999)), 29_999);
	t.is(millisecondsBetween(instantOf(start), instantOf(start + minute + 1)), minute + 1);
	t.is(millisecondsBetween(instantOf(start + 5), instantOf(start)), -5);
});

test('what is no instant has no milliseconds, also behind the minute of one', (t) => {
	millisecondsOf(instantOf(start));
	for (const text of ['', '2026-01-31T23:58:x0.000Z', '2026-01-31T23:58:99.000Z', '2026-01-31T25:58:30.000Z'])
		t.is(millisecondsOf(text), Number.NaN);
});
