import test from 'ava';
import fc from 'fast-check';
import {type CaptureOptions, captureOutput, defaultLimits} from '../../src/agent/capture-output.ts';

const KiB = 1024;

/** Captures those pieces; answers what was passed on before and after the end. */
const capture = (pieces: readonly Buffer[], options: Partial<CaptureOptions> = {}) => {
	const passed: Uint8Array[] = [];
	const textOf = () => Buffer.concat(passed).toString();
	const captured = captureOutput({mask: [], pass: (bytes) => void passed.push(bytes), ...options});
	for (const piece of pieces) captured.push(piece);
	const live = textOf();
	return {live, ...captured.end(), text: textOf()};
};

const bytesOf = (length: number, of: string): Buffer => Buffer.alloc(length, of);

/** A text that is as long as said, and different everywhere. */
const counted = (length: number): Buffer =>
	Buffer.from(Array.from({length: length / 8 + 1}, (_, at) => String(at).padStart(7, '0')).join('\n')).subarray(
		0,
		length,
	);

test('[AGT-026] of a stream the first 256 KiB and the last 768 KiB are kept', (t) => {
	t.deepEqual(defaultLimits, {first_bytes: 256 * KiB, last_bytes: 768 * KiB});
	const all = counted(3000 * KiB);
	const pieces = Array.from({length: 3000}, (_, at) => all.subarray(at * KiB, (at + 1) * KiB));
	const {live, text, bytes, truncated} = capture(pieces);
	t.is(live, all.subarray(0, 256 * KiB).toString());
	const note = `\n[${(3000 - 1024) * KiB} bytes left out]\n`;
	t.true(text === `${live}${note}${all.subarray(-768 * KiB).toString()}`);
	t.deepEqual({bytes, truncated}, {bytes: 3000 * KiB, truncated: true});
});

test('[AGT-027] output that fits is whole, and not truncated', (t) => {
	const all = counted(1024 * KiB);
	const {text, truncated} = capture([all]);
	t.true(text === all.toString());
	t.false(truncated);
	t.true(capture([all, Buffer.from('!')]).truncated);
	t.deepEqual(capture([]), {live: '', text: '', bytes: 0, truncated: false});
});

test('the first bytes are passed on at once', (t) => {
	t.is(capture([Buffer.from('now')]).live, 'now');
});

test('[AGT-029] a character that comes in pieces is passed on whole', (t) => {
	const pieces = [...Buffer.from('añ€😀')].map((byte) => Buffer.from([byte]));
	const passed: string[] = [];
	capture(pieces, {pass: (bytes) => void passed.push(Buffer.from(bytes).toString())});
	t.deepEqual(passed, ['a', 'ñ', '€', '😀']);
});

test('what is no UTF-8 is replaced, and what was never finished', (t) => {
	t.is(capture([Buffer.from([0x61, 0xff, 0x62, 0xf0, 0x9f])]).text, 'a\ufffdb\ufffd');
	t.is(capture([Buffer.from('\ufeffmarked')]).text, '\ufeffmarked');
});

test('[AGT-026 AGT-029] no cut goes through a character, wherever the limits are', (t) => {
	const text = fc.string({unit: fc.constantFrom('a', 'ñ', '€', '😀'), maxLength: 60});
	const limit = fc.integer({min: 1, max: 20});
	fc.assert(
		fc.property(text, limit, limit, (all, first_bytes, last_bytes) => {
			const {text: kept, bytes, truncated} = capture([Buffer.from(all)], {limits: {first_bytes, last_bytes}});
			t.is(bytes, Buffer.byteLength(all));
			t.false(kept.includes('\ufffd'));
			if (!truncated) return t.is(kept, all);
			const [, first = '', left_out, last = ''] = /^(.*)\n\[(\d+) bytes left out\]\n(.*)$/s.exec(kept) ?? [];
			t.true(all.startsWith(first) && all.endsWith(last));
			t.is(Buffer.byteLength(first) + Number(left_out) + Buffer.byteLength(last), bytes);
		}),
	);
});

test('[AGT-030] of a secret that a limit cuts in two neither part is seen', (t) => {
	const limits = {first_bytes: 10, last_bytes: 10};
	const {text} = capture([Buffer.from('1234567secret'), bytesOf(50, '.'), Buffer.from('secret1234567')], {
		limits,
		mask: ['secret'],
	});
	t.is(text, '1234567***\n[60 bytes left out]\n***1234567');
});
