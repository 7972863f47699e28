import {constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync} from 'node:zlib';

const params = {[constants.ZSTD_c_compressionLevel]: 1};

const biggestChunk = 64 * 1024;

/** One frame of Zstandard (RFC 8878), which says how long its content is. */
export const compressFrame = (content: Uint8Array): Uint8Array => {
	// JSON becomes a quarter or less: chunks that hold more would be garbage.
	const chunkSize = Math.min(Math.max(content.byteLength >> 2, 1024), biggestChunk);
	return zstdCompressSync(content, {params, chunkSize, pledgedSrcSize: content.byteLength});
};

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Of the fields of a frame's header, by two bits of its descriptor (RFC 8878 section 3.1.1.1). Bytes. */
const dictionaryIdSize = [0, 1, 2, 4];

/** How long the content of a frame is, by its header; undefined where that does not say. Bytes. */
export const frameContentSize = (frame: Uint8Array): number | undefined => {
	const descriptor = frame[4] ?? 0;
	const isSingleSegment = (descriptor & 0x20) !== 0;
	const at = (isSingleSegment ? 5 : 6) + (dictionaryIdSize[descriptor & 3] ?? 0);
	switch (descriptor >> 6) {
		case 0:
			return isSingleSegment ? view(frame).getUint8(at) : undefined;
		case 1:
			return view(frame).getUint16(at, true) + 256;
		case 2:
			return view(frame).getUint32(at, true);
		default:
			return Number(view(frame).getBigUint64(at, true));
	}
};

type Engine = {_outBuffer?: unknown};
/** The types of Node leave out what `info` asks for: https://nodejs.org/api/zlib.html#class-options */
type Informing = (frame: Uint8Array, options: ZstdOptions) => Readonly<{buffer: Buffer; engine: Engine}>;
const decompressWithEngine = zstdDecompressSync as unknown as Informing;

const defaultChunk = 16 * 1024;
const smallestChunk = 64;

/**
 * The content of a frame.
 *
 * Node makes an engine for each call, which lives on until all garbage is collected, not only the young: its native half is
 * held weakly, and refers back to it. The memory that it wrote the content to is taken from it, or a few thousand bodies a second
 * would be tens of megabytes that make V8 collect everything.
 */
export const decompressFrame = (frame: Uint8Array): Uint8Array => {
	// A byte more than the content: a chunk that is full is followed by another one.
	const chunkSize = Math.max((frameContentSize(frame) ?? defaultChunk) + 1, smallestChunk);
	const {buffer, engine} = decompressWithEngine(frame, {chunkSize, info: true});
	engine._outBuffer = undefined;
	return buffer;
};
