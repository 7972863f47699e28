import type {RateLimit, RateVerdict} from '@signalbox/core';

/**
 * How long what was taken ahead may be used: no longer than a request may be on its way. What is left of it when more is
 * taken, a quarter at most, lasts as long again, and is used first. Milliseconds.
 */
const lastsMs = 50;

/** What was taken ahead of requests, and what is left where it was taken. */
export type Filling = Readonly<{tokens: number; remaining: number; resets_at_ms: number}>;

/** Fewer are not asked for again before they are used up: what is nearly nothing is counted one by one. */
const fewest = 16;

type Tokens = Filling & {
	readonly limit: RateLimit;
	readonly since: number;
	readonly ends_at: number;
	used: number;
	isAskedFor: boolean;
};

/** Tokens that this process took ahead of requests, so that of many not each waits for the database. */
export type Reserve = Readonly<{
	/** Takes one that is here; undefined where there is none. */
	take(key: string, limit: RateLimit): RateVerdict | undefined;
	/** How many are expected next, of a key of which so many more are asked for now: none, unless there were some just before. */
	expected(key: string, asked: number): number;
	/**
	 * Of a key that takes were quick to use up three quarters of, how many more it takes to last as long again: to be asked
	 * for while the rest is used, so that nobody waits. Once for each filling; otherwise 0.
	 */
	runningOut(key: string): number;
	/** Adds to what is left of a key. */
	fill(key: string, limit: RateLimit, filling: Filling): void;
}>;

const isSame = (a: RateLimit, b: RateLimit): boolean => a.per_minute === b.per_minute && a.burst === b.burst;

/** @param now milliseconds of a clock that never runs backwards. */
export const createReserve = (now: () => number = () => performance.now()): Reserve => {
	/** The oldest first. */
	const byKey = new Map<string, Tokens>();
	const recent = (key: string): Tokens | undefined => {
		const tokens = byKey.get(key);
		return tokens !== undefined && tokens.ends_at > now() ? tokens : undefined;
	};
	const forgetOld = (time: number): void => {
		for (const [key, {ends_at}] of byKey) {
			if (ends_at > time) return;
			byKey.delete(key);
		}
	};
	return {
		take: (key, limit) => {
			const held = recent(key);
			if (held === undefined || held.used === held.tokens || !isSame(held.limit, limit)) return undefined;
			held.used += 1;
			const {tokens, used, remaining, resets_at_ms} = held;
			return {allowed: true, remaining: remaining + tokens - used, resets_at_ms, retry_after_seconds: 0};
		},
		expected: (key, asked) => {
			const held = recent(key);
			return held === undefined ? 0 : held.used + asked;
		},
		runningOut: (key) => {
			const held = recent(key);
			if (held === undefined || held.isAskedFor || held.tokens < fewest || 4 * held.used < 3 * held.tokens) return 0;
			held.isAskedFor = true;
			const usedWhileTheyLast = Math.ceil((held.used * lastsMs) / Math.max(1, now() - held.since));
			return Math.min(usedWhileTheyLast, 2 * held.tokens) - (held.tokens - held.used);
		},
		fill: (key, limit, filling) => {
			const time = now();
			const held = recent(key);
			const left = held !== undefined && isSame(held.limit, limit) ? held.tokens - held.used : 0;
			byKey.delete(key);
			forgetOld(time);
			const tokens = left + filling.tokens;
			byKey.set(key, {...filling, tokens, limit, since: time, ends_at: time + lastsMs, used: 0, isAskedFor: false});
		},
	};
};
