/** A copy of what passed, for the log: at most `limit` bytes of it. */
export type BoundedCopy = Readonly<{add(chunk: Buffer): void; bytes(): Buffer; isWhole(): boolean}>;

export const createBoundedCopy = (limit: number): BoundedCopy => {
	const chunks: Buffer[] = [];
	let size = 0;
	let whole = true;
	return {
		add: (chunk) => {
			const kept = chunk.length > limit - size ? chunk.subarray(0, limit - size) : chunk;
			if (kept.length < chunk.length) whole = false;
			if (kept.length > 0) chunks.push(kept);
			size += kept.length;
		},
		bytes: () => {
			const [first] = chunks;
			return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
		},
		isWhole: () => whole,
	};
};
