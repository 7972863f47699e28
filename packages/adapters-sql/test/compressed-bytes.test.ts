import {randomBytes} from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import {compressedBytes} from '../src/compressed-bytes.ts';

const page = 4096;
const head = 128 * 1024;

const written = (bytes: Uint8Array) => compressedBytes.write(bytes) as [Uint8Array, number | null];

test('what is written is read again, to the last byte', (t) => {
	const unit = fc.uint8Array({minLength: 1, maxLength: 300});
	const bytes = fc
		.tuple(unit, fc.constantFrom(0, 1, page - 1, page, page + 1, head - 1, head, head + 1, 2 * head, 3 * head + 7))
		.map(([part, length]) => Buffer.alloc(length, part));
	fc.assert(
		fc.property(bytes, (given) => {
			const before = Buffer.from(given);
			const read = compressedBytes.read(written(given));
			t.true(before.equals(read));
			t.true(before.equals(given), 'what was given is as it was');
			t.is(Object.getPrototypeOf(read), Uint8Array.prototype);
		}),
		{numRuns: 300},
	);
});

test('bytes of less than a page, and those that become no smaller, are kept as they are', (t) => {
	for (const bytes of [Buffer.alloc(page - 1), randomBytes(page), randomBytes(3 * head)]) {
		const [stored, length] = written(bytes);
		t.is(stored, bytes);
		t.is(length, null);
	}
});

test('a page and more of what repeats becomes small, and the frame that begins it stands by itself', (t) => {
	for (const [length, frames] of [
		[page, 1],
		[head, 1],
		[head + 1, 2],
	] as const) {
		const bytes = Buffer.alloc(length, '{"id": 1} ');
		const [stored, first] = written(bytes);
		t.true(stored.byteLength < length / 10);
		t.is(first === stored.byteLength, frames === 1);
		const begins = compressedBytes.read([stored.subarray(0, first ?? 0), first]);
		t.true(Buffer.from(begins).equals(bytes.subarray(0, head)));
	}
});
