import {constants, zstdCompressSync} from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {collectGarbage} from '../../../test/support/collect-garbage.ts';
import {compressFrame, decompressFrame, frameContentSize} from '../src/zstd-frame.ts';

test('a frame says how long its content is, and that comes back', (t) => {
	const lengths = fc.oneof(fc.nat(70_000), fc.constantFrom(0, 1, 255, 256, 257, 65_535, 65_791, 65_792, 1_000_000));
	fc.assert(
		fc.property(lengths, fc.nat(255), (length, byte) => {
			const content = Buffer.alloc(length, byte);
			const frame = compressFrame(content);
			t.is(frameContentSize(frame), length);
			t.true(content.equals(decompressFrame(frame)));
		}),
	);
});

test('a frame that does not say comes back, too', (t) => {
	const content = Buffer.alloc(100_000, '{"id": 1} ');
	const silent = zstdCompressSync(content, {params: {[constants.ZSTD_c_contentSizeFlag]: 0}});
	t.is(frameContentSize(silent), undefined);
	t.true(content.equals(decompressFrame(silent)));
});

test('what is no frame is an error', (t) => {
	t.throws(() => decompressFrame(Buffer.from('no frame')));
	t.throws(() => decompressFrame(compressFrame(Buffer.alloc(5000, 1)).subarray(0, 12)));
});

test('a content that nobody holds any more is freed with what is young', (t) => {
	const frame = compressFrame(Buffer.alloc(10_000, '{"id": 1} '));
	const held = () => {
		collectGarbage('minor');
		return process.memoryUsage().arrayBuffers;
	};
	const before = held();
	for (let times = 0; times < 500; times += 1) decompressFrame(frame);
	t.true(held() - before < 1_000_000, `${held() - before} bytes of 5,000,000 are left`);
});
