import {isUnavailable} from '@signalbox/core';

type Results<R> = readonly PromiseSettledResult<R>[];

const eachAlone = async <T, R>(write: (items: readonly T[]) => Promise<readonly R[]>, items: readonly T[]) => {
	const results: PromiseSettledResult<R>[] = [];
	for (const item of items) {
		const [result] = await Promise.allSettled([write([item]).then(([only]) => only as R)]);
		results.push(result);
	}
	return results;
};

/** Writes a group as one; when that fails because of one of them, each by itself, so that the others do not fail with it. */
export const alone =
	<T, R>(write: (items: readonly T[]) => Promise<readonly R[]>) =>
	async (items: readonly T[]): Promise<Results<R>> => {
		try {
			return (await write(items)).map((value) => ({status: 'fulfilled', value}));
		} catch (error) {
			if (isUnavailable(error) || items.length === 1) throw error;
			return eachAlone(write, items);
		}
	};
