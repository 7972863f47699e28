import type {Clock, RateLimiter} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import {type TokenBucket, takeToken, verdictOf} from '../values/token-bucket.ts';

/**
 * Looks at the bucket that was looked at longest ago, and drops it if it is full again: no bucket means a full one. Not
 * that of `taken`, which is set anew at once: V8 makes a new table after every few deletions.
 */
const createInspection = (buckets: Map<string, TokenBucket>): ((now: number, taken: string) => void) => {
	let round = buckets.entries();
	return (now, taken) => {
		let next = round.next();
		if (next.done) {
			round = buckets.entries();
			next = round.next();
		}
		if (next.done) return;
		const [key, bucket] = next.value;
		if (bucket.full_at <= now && key !== taken) buckets.delete(key);
	};
};

/**
 * Token buckets in this process's memory; what is held is bounded by the keys that are not idle.
 * @param buckets Where they are held: hand one in to watch it.
 */
export const createMemoryRateLimiter = ({
	clock,
	buckets = new Map(),
}: Readonly<{clock: Pick<Clock, 'now'>; buckets?: Map<string, TokenBucket>}>): RateLimiter => {
	const inspectOne = createInspection(buckets);
	return {
		take: (key, limit) => {
			const now = millisecondsOf(clock.now());
			// Twice, because a take may add one: with a single look their number could only rise.
			inspectOne(now, key);
			inspectOne(now, key);
			const take = takeToken(buckets.get(key), limit, now);
			buckets.set(key, take.bucket);
			return verdictOf(take);
		},
	};
};
