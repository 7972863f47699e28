import {formatKeyRing, generateKey, parseKeyRing} from '@signalbox/core/node';
import test from 'ava';

const base64 = Buffer.alloc(32, 7).toString('base64');

test('a ring is read in its order, newest first', (t) => {
	const older = generateKey('2025');
	const ring = parseKeyRing(` 2026:${base64} , ${formatKeyRing([older])}`);
	t.deepEqual(ring, [{kid: '2026', key: new Uint8Array(32).fill(7)}, older]);
});

test('what is written is read again', (t) => {
	const ring = [generateKey('b'), generateKey('a')];
	t.deepEqual(parseKeyRing(formatKeyRing(ring)), ring);
});

const refused = [
	{name: 'nothing', text: '', says: /Key 1: write it as kid:base64/},
	{name: 'no kid', text: base64, says: /Key 1: write it as kid:base64/},
	{name: 'a blank kid', text: `:${base64}`, says: /Key 1: write it as kid:base64/},
	{name: 'a short key', text: `k1:${base64},k2:c2VjcmV0`, says: /Key 2 \(k2\): write 32 bytes as base64/},
	{name: 'a long key', text: `k1:${base64}AAAA`, says: /Key 1 \(k1\): write 32 bytes/},
	{name: 'a trailing comma', text: `k1:${base64},`, says: /Key 2: write it as kid:base64/},
	{name: 'a kid twice', text: `k1:${base64},k1:${base64}`, says: /The kid k1 stands twice/},
];

for (const {name, text, says} of refused) {
	test(`a ring with ${name} is refused without showing key material`, (t) => {
		const error = t.throws(() => parseKeyRing(text), {message: says});
		t.false(error.message.includes('c2VjcmV0') || error.message.includes(base64.slice(0, 8)));
	});
}
