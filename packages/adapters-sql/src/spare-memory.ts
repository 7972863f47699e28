/** What a thread is sent through, used again once it comes back. */
export type SpareMemory = Readonly<{
	/** @returns memory of at least `size` bytes, with whatever stood in it before. */
	take(size: number): ArrayBuffer;
	/** That nobody reads any more. */
	giveBack(memory: ArrayBuffer): void;
}>;

const leastBytes = 64 * 1024;

/** More is not kept: one large group would hold its memory for good. */
const mostBytes = 2 * 1024 * 1024;

const mostKept = 2;

/** With some room, so that it does for most groups that follow. */
const roomFor = (size: number): number =>
	size > mostBytes ? size : Math.max(leastBytes, 2 ** Math.ceil(Math.log2(size)));

/**
 * New memory for each group costs the thread that sends it more than filling it, and the one that receives it a full garbage
 * collection for every few hundred of them: what is moved in from outside its heap counts towards the next one.
 */
export const createSpareMemory = (): SpareMemory => {
	const kept: ArrayBuffer[] = [];
	return {
		take: (size) => {
			const at = kept.findIndex(({byteLength}) => byteLength >= size);
			const [memory = new ArrayBuffer(roomFor(size))] = at < 0 ? [] : kept.splice(at, 1);
			return memory;
		},
		giveBack: (memory) => {
			if (memory.byteLength > mostBytes) return;
			if (kept.length === mostKept) kept.shift();
			kept.push(memory);
		},
	};
};
