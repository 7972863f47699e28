import {setImmediate as turn} from 'node:timers/promises';

/** Items that wait for each other's commit. */
export type GroupQueue<T, R> = Readonly<{
	/** Settles as the item's own part of its group did. */
	push(item: T): Promise<R>;
	/** Resolves when nothing waits and nothing is being committed. */
	drained(): Promise<void>;
}>;

export type GroupLimits<T> = Readonly<{
	/** Items a group holds at most. */
	max_items: number;
	/** Sum of `weigh` a group holds at most; a heavier item goes alone. */
	max_weight?: number;
	weigh?: (item: T) => number;
}>;

type Waiting<T, R> = Readonly<{item: T; weight: number; resolve(result: R): void; reject(reason: unknown): void}>;

/** How many of the first items go together; at least one. */
const groupSize = (waiting: readonly Readonly<{weight: number}>[], max_items: number, max_weight: number): number => {
	let sum = 0;
	let size = 0;
	for (const {weight} of waiting) {
		sum += weight;
		if (size === max_items || (size > 0 && sum > max_weight)) break;
		size += 1;
	}
	return size;
};

/**
 * How many go together where `last` went before: callers who wait for each other's commit come again once it is done, and are
 * best committed in two halves, so that the one is answered while the other is written. Left alone they stay in a large
 * group and a small one for good.
 */
const balanced = (last: number, waiting: number): number => (last === 0 ? waiting : Math.ceil((last + waiting) / 2));

/**
 * Group commit without a timer: what arrives while the queue is idle is committed at once, and what arrives during that
 * commit is the next group, or half of those who come and go. One group at a time. A `commit` that rejects fails its whole
 * group.
 */
export const createGroupQueue = <T, R>(
	commit: (items: readonly T[]) => Promise<readonly PromiseSettledResult<R>[]>,
	{max_items, max_weight = Number.POSITIVE_INFINITY, weigh = () => 0}: GroupLimits<T>,
): GroupQueue<T, R> => {
	const waiting: Waiting<T, R>[] = [];
	let pumping: Promise<void> | undefined;
	const commitGroup = async (group: readonly Waiting<T, R>[]): Promise<void> => {
		try {
			const results = await commit(group.map(({item}) => item));
			group.forEach(({resolve, reject}, index) => {
				const result = results[index];
				if (result?.status === 'fulfilled') resolve(result.value);
				else reject(result?.reason);
			});
		} catch (error) {
			for (const {reject} of group) reject(error);
		}
	};
	const pump = async (): Promise<void> => {
		let last = 0;
		while (waiting.length > 0) {
			// What arrives together, from many sockets, is committed together, with what the last commit lets begin. More than a
			// turn makes all of them wait for each other.
			await turn();
			last = groupSize(waiting, Math.min(max_items, balanced(last, waiting.length)), max_weight);
			await commitGroup(waiting.splice(0, last));
		}
		pumping = undefined;
	};
	return {
		push: (item) =>
			new Promise<R>((resolve, reject) => {
				waiting.push({item, weight: weigh(item), resolve, reject});
				pumping ??= pump();
			}),
		drained: async () => {
			while (pumping) await pumping;
		},
	};
};
