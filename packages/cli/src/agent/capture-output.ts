import {createMasker} from './mask-secrets.ts';

/** How much of a stream is kept, in bytes of the output as it is passed on. */
export type OutputLimits = Readonly<{first_bytes: number; last_bytes: number}>;

/** The first 256 KiB and the last 768 KiB: 1 MiB of each stream. */
export const defaultLimits: OutputLimits = {first_bytes: 256 * 1024, last_bytes: 768 * 1024};

export type CaptureOptions = Readonly<{
	mask: readonly string[];
	limits?: OutputLimits;
	/** Takes valid UTF-8, whole characters at a time. */
	pass: (bytes: Uint8Array) => void;
}>;

/** One stream of a command. */
export type Capture = Readonly<{
	/** Takes what was printed, in pieces of any size. */
	push(bytes: Buffer): void;
	/** Passes on what was kept back. @returns how many bytes were printed, and whether some were left out. */
	end(): Readonly<{bytes: number; truncated: boolean}>;
}>;

/** The last bytes of a stream, in memory that is taken when the first ones come. */
type Ring = Readonly<{push(bytes: Buffer): void; end(): Readonly<{kept: Buffer; left_out: number}>}>;

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The end of the last whole character in the first `most` bytes of valid UTF-8. */
const wholeCharacters = (bytes: Buffer, most: number): number => {
	let end = Math.min(most, bytes.length);
	while (isInsideCharacter(bytes[end])) end -= 1;
	return end;
};

const firstCharacter = (bytes: Buffer): number => {
	let start = 0;
	while (isInsideCharacter(bytes[start])) start += 1;
	return start;
};

const createRing = (size: number): Ring => {
	let memory = Buffer.alloc(0);
	let taken = 0;
	return {
		push: (bytes) => {
			if (memory.length === 0) memory = Buffer.alloc(size);
			const last = bytes.subarray(Math.max(0, bytes.length - size));
			const at = (taken + bytes.length - last.length) % size;
			const copied = last.copy(memory, at);
			last.copy(memory, 0, copied);
			taken += bytes.length;
		},
		end: () => {
			if (taken <= size) return {kept: memory.subarray(0, taken), left_out: 0};
			const at = taken % size;
			const whole = Buffer.concat([memory.subarray(at), memory.subarray(0, at)]);
			const kept = whole.subarray(firstCharacter(whole));
			return {kept, left_out: taken - kept.length};
		},
	};
};

/** Passes on the first bytes at once, and the last ones at the end, after a line that says how many are missing between. */
const createLimiter = ({first_bytes, last_bytes}: OutputLimits, pass: (bytes: Uint8Array) => void) => {
	const ring = createRing(last_bytes);
	let left = first_bytes;
	const passSome = (bytes: Buffer): void => {
		if (bytes.length > 0) pass(bytes);
	};
	return {
		push: (bytes: Buffer): void => {
			const end = wholeCharacters(bytes, left);
			passSome(bytes.subarray(0, end));
			left = end < bytes.length ? 0 : left - end;
			if (end < bytes.length) ring.push(bytes.subarray(end));
		},
		end: (): boolean => {
			const {kept, left_out} = ring.end();
			if (left_out > 0) pass(Buffer.from(`\n[${left_out} bytes left out]\n`));
			passSome(kept);
			return left_out > 0;
		},
	};
};

/**
 * Reads one stream of a command to its end, however much that is, and passes on a bounded part of it: secrets masked, then
 * decoded (what is no UTF-8 becomes U+FFFD), then cut to its limits.
 */
export const captureOutput = ({mask, limits = defaultLimits, pass}: CaptureOptions): Capture => {
	const masker = createMasker(mask);
	const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	const limiter = createLimiter(limits, pass);
	let printed = 0;
	const decode = (bytes: Buffer, stream: boolean): void => limiter.push(Buffer.from(decoder.decode(bytes, {stream})));
	return {
		push: (bytes) => {
			printed += bytes.length;
			decode(masker.push(bytes), true);
		},
		end: () => {
			decode(masker.end(), false);
			return {bytes: printed, truncated: limiter.end()};
		},
	};
};
