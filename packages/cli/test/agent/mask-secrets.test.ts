import test from 'ava';
import fc from 'fast-check';
import {createMasker, maskText} from '../../src/agent/mask-secrets.ts';

const maskPieces = (pieces: readonly Buffer[], values: readonly string[]): string => {
	const masker = createMasker(values);
	return Buffer.concat([...pieces.map(masker.push), masker.end()]).toString('latin1');
};

/** What the masker does, said without a thought of time: every occurrence, at every place, hides its bytes. */
const maskNaively = (text: string, values: readonly string[]): string => {
	const hidden = Array.from(text, () => false);
	for (const value of values)
		for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
			hidden.fill(true, at, at + value.length);
	return Array.from(text, (character, at) => {
		if (!hidden[at]) return character;
		return hidden[at - 1] ? '' : '********';
	}).join('');
};

const cut = (text: string, cuts: readonly number[]): readonly Buffer[] => {
	const bytes = Buffer.from(text, 'latin1');
	const places = [0, ...cuts.map((each) => each % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
	return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

test('[AGT-030] values of 6 characters or more are masked, shorter ones are not', (t) => {
	t.is(maskText('a secret, a short', ['secret', 'short']), 'a ********, a short');
	t.is(maskText('clés: éééééé ééééé', ['éééééé', 'ééééé']), 'clés: ******** ééééé');
	t.is(maskText('nothing to hide', []), 'nothing to hide');
});

test('of values that overlap nothing is left to see', (t) => {
	t.is(maskText('<abcabcabc>', ['abcabc']), '<********>');
	t.is(maskText('<secretive-agents>', ['secretive', 'ive-agents']), '<********>');
	t.is(maskText('<secretsecret> <secret>', ['secret', 'secret']), '<********> <********>');
});

test('[AGT-030] however the output is cut, what people see is the same as of a naive replacement', (t) => {
	const value = fc.string({unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 12});
	const text = fc
		.array(fc.oneof(value, fc.string({unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 9})), {maxLength: 12})
		.map((parts) => parts.join(''));
	const withSome = fc.tuple(fc.array(value, {minLength: 1, maxLength: 4}), text, fc.array(fc.nat(), {maxLength: 20}));
	fc.assert(
		fc.property(withSome, fc.nat(), ([values, some, cuts], place) => {
			const at = place % (some.length + 1);
			const all = `${some.slice(0, at)}${values[0]}${some.slice(at)}`;
			t.is(maskPieces(cut(all, cuts), values), maskNaively(all, values));
		}),
		{numRuns: 2000},
	);
});

test('what is printed comes as soon as it cannot be the beginning of a secret any more', (t) => {
	const masker = createMasker(['password']);
	t.is(masker.push(Buffer.from('pass')).toString(), '');
	t.is(masker.push(Buffer.from('able, pa')).toString(), 'passable, ');
	t.is(masker.end().toString(), 'pa');
});

test('an output that nearly is a long value, again and again, is read once', (t) => {
	const long = 60_000;
	const masker = createMasker([`${'a'.repeat(long)}b`, `${'a'.repeat(long / 2)}c`]);
	const piece = Buffer.alloc(64 * 1024, 'a');
	for (let count = 0; count < 256; count += 1) masker.push(piece);
	t.is(masker.push(Buffer.from('b.')).toString().replaceAll('a', ''), '********.');
	t.is(masker.end().toString(), '');
});
