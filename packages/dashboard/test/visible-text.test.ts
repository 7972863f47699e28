import test from 'ava';
import {visiblePieces} from '../src/parts/visible-text.ts';

const shown = (text: string): string =>
	visiblePieces(text)
		.map(({text, mark}) => (mark === undefined ? text : `[${mark}]`))
		.join('');

test('what cannot be seen, or would move the rest, is named', (t) => {
	t.is(shown('a\u001b[31mb'), 'a[ESC][31mb');
	t.is(shown('a\u202eb\u2066c'), 'a[RLO]b[LRI]c');
	t.is(shown('a\u200b\u200d\ufeffb'), 'a[ZWSP][ZWJ][BOM]b');
	t.is(shown('a\u00a0b\u3000c'), 'a[NBSP]b[U+3000]c');
	t.is(shown('\u{e0041}\u{e0101}\ue000\ud800'), '[U+E0041][U+E0101][U+E000][U+D800]');
	t.is(shown('a\0b\rc'), 'a[NUL]b[CR]c');
});

test('text that can be seen stays as it is', (t) => {
	for (const text of ['', 'plain text', 'tab\tstop', 'Grüße, 東京, مرحبا', '👩‍🚀 ❤️ 👍🏽', 'e\u0301'])
		t.is(shown(text), text);
});
