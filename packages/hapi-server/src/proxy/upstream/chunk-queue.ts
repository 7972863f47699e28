/** Bytes that one side pushes and the other iterates, once, with a word back when the queue ran empty. */
export type ChunkQueue = AsyncIterable<Buffer> &
	Readonly<{
		push(chunk: Buffer): void;
		end(): void;
		/** What is queued is still delivered, then the iteration rejects. */
		fail(error: Error): void;
		/**
		 * Everything at once, if the end has come before anything was taken: for a small answer, that is when its headers
		 * are looked at. Iterating over it costs 8 us more.
		 */
		takeWhole(): readonly Buffer[] | undefined;
		/** Bytes pushed and not taken yet. */
		size(): number;
	}>;

type Waiter = Readonly<{resolve(result: IteratorResult<Buffer, undefined>): void; reject(error: Error): void}>;

type State = {
	chunks: Buffer[];
	size: number;
	/** Something was taken. */
	begun: boolean;
	ended: boolean;
	error: Error | undefined;
	waiter: Waiter | undefined;
};

const done: IteratorResult<Buffer, undefined> = {done: true, value: undefined};

const offer = (state: State): void => {
	const {waiter} = state;
	if (waiter === undefined) return;
	const chunk = state.chunks.shift();
	if (chunk === undefined && state.error === undefined && !state.ended) return;
	state.waiter = undefined;
	if (chunk !== undefined) {
		state.size -= chunk.length;
		waiter.resolve({done: false, value: chunk});
	} else if (state.error !== undefined) waiter.reject(state.error);
	else waiter.resolve(done);
};

/** @param onEmpty called when a reader waits and nothing is queued. @param onAbandoned the reader stopped before the end. */
export const createChunkQueue = (onEmpty: () => void, onAbandoned: () => void): ChunkQueue => {
	const state: State = {chunks: [], size: 0, begun: false, ended: false, error: undefined, waiter: undefined};
	const iterator: AsyncIterator<Buffer, undefined> = {
		next: () =>
			new Promise((resolve, reject) => {
				state.begun = true;
				state.waiter = {resolve, reject};
				offer(state);
				if (state.waiter !== undefined) onEmpty();
			}),
		return: async () => {
			state.chunks = [];
			if (!state.ended && state.error === undefined) onAbandoned();
			return done;
		},
	};
	return {
		push: (chunk) => {
			state.chunks.push(chunk);
			state.size += chunk.length;
			offer(state);
		},
		end: () => {
			state.ended = true;
			offer(state);
		},
		fail: (error) => {
			state.error = error;
			offer(state);
		},
		takeWhole: () => {
			if (!state.ended || state.begun) return undefined;
			state.begun = true;
			const {chunks} = state;
			state.chunks = [];
			return chunks;
		},
		size: () => state.size,
		[Symbol.asyncIterator]: () => iterator,
	};
};
