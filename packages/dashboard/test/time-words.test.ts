import test from 'ava';
import {countdownText, inWords} from '../src/parts/time-words.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

test('times are told as people say them, and never rounded up', (t) => {
	const said = (ago: number): string => inWords(1e12 - ago, 1e12);
	t.deepEqual([0, 4 * second, -2 * second].map(said), ['just now', 'just now', 'just now']);
	t.is(said(30 * second), '30 sec. ago');
	t.is(said(119 * second), '1 min. ago');
	t.is(said(23 * hour + 59 * minute), '23 hr. ago');
	t.is(said(24 * hour), 'yesterday');
	t.is(said(-90 * minute), 'in 1 hr.');
});

test('a countdown shows each second once, and stops at nothing', (t) => {
	t.is(countdownText(5 * minute), '5:00');
	t.is(countdownText(5 * minute - 1), '5:00');
	t.is(countdownText(59 * second), '0:59');
	t.is(countdownText(hour + 2 * minute + 3 * second), '1:02:03');
	t.deepEqual([0, -minute].map(countdownText), ['0:00', '0:00']);
});
