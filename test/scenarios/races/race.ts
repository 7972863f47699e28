/** How long many took who asked at once. Milliseconds. */
export type Latencies = Readonly<{median: number; slowest: number}>;

export type Race<T> = Readonly<{replies: readonly T[]; latencies: Latencies; took: number}>;

const latenciesOf = (times: readonly number[]): Latencies => {
	const sorted = times.toSorted((a, b) => a - b);
	return {median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), slowest: Math.round(sorted.at(-1) ?? 0)};
};

/** Asks that many times at once. */
export const race = async <T>(ways: number, ask: (index: number) => Promise<T>): Promise<Race<T>> => {
	const times: number[] = [];
	const began = performance.now();
	const replies = await Promise.all(
		Array.from({length: ways}, async (_, index) => {
			const reply = await ask(index);
			times.push(performance.now() - began);
			return reply;
		}),
	);
	return {replies, latencies: latenciesOf(times), took: performance.now() - began};
};
