import {createDecipheriv} from 'node:crypto';
import {createCipher, generateKey} from '@signalbox/core/node';
import test from 'ava';
import fc from 'fast-check';

const older = generateKey('older');
const newer = generateKey('newer');
const cipher = createCipher({keys: [newer, older]});
const doesNotOpen = {message: 'sealed text does not open'};

test('a sealed text opens with its binding, and names the master key', (t) => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme'}), fc.string(), (text, binding) => {
			const sealed = cipher.seal(text, binding);
			t.is(sealed.kid, 'newer');
			t.is(cipher.open(sealed, binding), text);
		}),
	);
	t.is(cipher.currentKid(), 'newer');
});

const openBox = (key: Uint8Array, box: Buffer, data: readonly string[]) => {
	const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), {authTagLength: 16});
	decipher.setAAD(Buffer.from(JSON.stringify(data))).setAuthTag(box.subarray(-16));
	return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]);
};

test('[ENV-043] a sealed text is an AES-256-GCM envelope: the master key opens a data key, the data key the text', (t) => {
	const sealed = cipher.seal('text', 'row');
	const bytes = Buffer.from(sealed.data, 'base64url');
	t.is(bytes[0], 1);
	const dataKey = openBox(newer.key, bytes.subarray(1, 61), ['data key', 'newer', 'row']);
	t.is(dataKey.length, 32);
	t.is(openBox(dataKey, bytes.subarray(61), ['text', 'row']).toString(), 'text');
});

test('the same text seals differently each time: every text has a data key of its own', (t) => {
	t.not(cipher.seal('text', 'row').data, cipher.seal('text', 'row').data);
});

test('[ENV-044] another binding does not open', (t) => {
	const sealed = cipher.seal('text', 'row 1');
	t.throws(() => cipher.open(sealed, 'row 2'), doesNotOpen);
});

test('no flipped bit goes unnoticed', (t) => {
	const {kid, data} = cipher.seal('text', 'row');
	const bytes = Buffer.from(data, 'base64url');
	for (let bit = 0; bit < bytes.length * 8; bit += 1) {
		const flipped = Buffer.from(bytes);
		flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
		t.throws(() => cipher.open({kid, data: flipped.toString('base64url')}, 'row'), doesNotOpen);
	}
});

test('nothing but the one spelling of the sealed bytes opens', (t) => {
	const {kid, data} = cipher.seal('text!', 'row');
	for (const other of [`${data}=`, `${data}\n`, ` ${data}`, `${data}A`, data.slice(0, -4), '', 'AQ']) {
		t.throws(() => cipher.open({kid, data: other}, 'row'), doesNotOpen);
	}
});

test('[ENV-045] the newest key seals, and what an older key sealed still opens', (t) => {
	const sealed = createCipher({keys: [older]}).seal('text', 'row');
	t.is(sealed.kid, 'older');
	t.is(cipher.open(sealed, 'row'), 'text');
});

test('a missing master key, and a kid that was exchanged, do not open', (t) => {
	const sealed = createCipher({keys: [older]}).seal('text', 'row');
	t.throws(() => createCipher({keys: [newer]}).open(sealed, 'row'), doesNotOpen);
	t.throws(() => cipher.open({...sealed, kid: 'newer'}, 'row'), doesNotOpen);
	const sameKey = createCipher({keys: [{kid: 'renamed', key: older.key}]});
	t.throws(() => sameKey.open({...sealed, kid: 'renamed'}, 'row'), doesNotOpen);
});

test('an error shows neither the text nor the key', (t) => {
	const sealed = cipher.seal('very secret', 'row');
	const error = t.throws(() => cipher.open(sealed, 'elsewhere'));
	t.notRegex(`${error.stack} ${error.cause}`, /very secret/);
});
