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

const done: IteratorResult<Buffer, undefined> = {done: true, value: undefined};

/** What is told of its reader. */
export type QueueObserver = Readonly<{
	/** A reader waits and nothing is queued. */
	onEmpty(): void;
	/** The reader stopped before the end. */
	onAbandoned(): void;
}>;

class Queue implements ChunkQueue, AsyncIterator<Buffer, undefined> {
	readonly #observer: QueueObserver;
	#chunks: Buffer[] = [];
	#size = 0;
	/** Something was taken. */
	#begun = false;
	#ended = false;
	#error: Error | undefined;
	#waiter: Waiter | undefined;

	constructor(observer: QueueObserver) {
		this.#observer = observer;
	}

	push(chunk: Buffer): void {
		this.#chunks.push(chunk);
		this.#size += chunk.length;
		this.#offer();
	}

	end(): void {
		this.#ended = true;
		this.#offer();
	}

	fail(error: Error): void {
		this.#error = error;
		this.#offer();
	}

	takeWhole(): readonly Buffer[] | undefined {
		if (!this.#ended || this.#begun) return undefined;
		this.#begun = true;
		const chunks = this.#chunks;
		this.#chunks = [];
		return chunks;
	}

	size(): number {
		return this.#size;
	}

	[Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
		return this;
	}

	next(): Promise<IteratorResult<Buffer, undefined>> {
		return new Promise((resolve, reject) => {
			this.#begun = true;
			this.#waiter = {resolve, reject};
			this.#offer();
			if (this.#waiter !== undefined) this.#observer.onEmpty();
		});
	}

	async return(): Promise<IteratorResult<Buffer, undefined>> {
		this.#chunks = [];
		if (!this.#ended && this.#error === undefined) this.#observer.onAbandoned();
		return done;
	}

	#offer(): void {
		const waiter = this.#waiter;
		if (waiter === undefined) return;
		const chunk = this.#chunks.shift();
		if (chunk === undefined && this.#error === undefined && !this.#ended) return;
		this.#waiter = undefined;
		if (chunk !== undefined) {
			this.#size -= chunk.length;
			waiter.resolve({done: false, value: chunk});
		} else if (this.#error !== undefined) waiter.reject(this.#error);
		else waiter.resolve(done);
	}
}

export const createChunkQueue = (observer: QueueObserver): ChunkQueue => new Queue(observer);
