/** Bytes that may be held in memory at once. Whoever asks for more than is left waits in line. */
export type ByteBudget = Readonly<{
	/** True at once, or when enough was given back; false when that takes too long. */
	take(bytes: number): true | Promise<boolean>;
	give(bytes: number): void;
}>;

type Waiter = Readonly<{bytes: number; serve(granted: boolean): void}>;

/** @param patience_ms How long somebody may wait: if all who hold something wait for more, only giving up frees any. */
export const createByteBudget = (capacity: number, patience_ms: number): ByteBudget => {
	const line = new Set<Waiter>();
	let held = 0;
	const serveLine = () => {
		for (const waiter of line) {
			if (held + waiter.bytes > capacity) return;
			held += waiter.bytes;
			waiter.serve(true);
		}
	};
	const join = (bytes: number): Promise<boolean> =>
		new Promise((resolve) => {
			const waiter: Waiter = {
				bytes,
				serve: (granted) => {
					line.delete(waiter);
					clearTimeout(timer);
					resolve(granted);
				},
			};
			const timer = setTimeout(() => waiter.serve(false), patience_ms);
			line.add(waiter);
		});
	return {
		take: (bytes) => {
			if (line.size > 0 || held + bytes > capacity) return join(bytes);
			held += bytes;
			return true;
		},
		give: (bytes) => {
			held -= bytes;
			serveLine();
		},
	};
};
