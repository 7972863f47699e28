/** A copy of what passed, for the log: at most `limit` bytes of it. */
export type BoundedCopy = Readonly<{
	add(chunk: Buffer): void;
	bytes(): Buffer;
	isWhole(): boolean;
	/** The very last bytes that passed, kept or not; only when it is not whole. */
	tail(): Buffer;
}>;

const tailBytes = 64;
const nothing: Buffer = Buffer.alloc(0);

export const createBoundedCopy = (limit: number): BoundedCopy => {
	const chunks: Buffer[] = [];
	let size = 0;
	let whole = true;
	let tail = nothing;
	return {
		add: (chunk) => {
			const kept = chunk.length > limit - size ? chunk.subarray(0, limit - size) : chunk;
			if (kept.length < chunk.length) {
				whole = false;
				tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
			}
			if (kept.length > 0) chunks.push(kept);
			size += kept.length;
		},
		bytes: () => {
			const [first] = chunks;
			return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
		},
		isWhole: () => whole,
		tail: () => tail,
	};
};
