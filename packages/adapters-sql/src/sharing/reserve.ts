import type {RateLimit, RateVerdict} from '@signalbox/core';

/** How long what was taken ahead may be used: no longer than a request may be on its way. Milliseconds. */
const lastsMs = 50;

/** What was taken ahead of requests, and what is left where it was taken. */
export type Filling = Readonly<{tokens: number; remaining: number; resets_at_ms: number}>;

type Tokens = Filling & {
	readonly limit: RateLimit;
	readonly ends_at: number;
	used: number;
};

/** Tokens that this process took ahead of requests, so that of many not each waits for the database. */
export type Reserve = Readonly<{
	/** Takes one that is here; undefined where there is none. */
	take(key: string, limit: RateLimit): RateVerdict | undefined;
	/** How many are expected next, of a key of which so many more are asked for now: none, unless there were some just before. */
	expected(key: string, asked: number): number;
	/** Replaces what is left of a key. */
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
		fill: (key, limit, filling) => {
			const time = now();
			byKey.delete(key);
			forgetOld(time);
			byKey.set(key, {...filling, limit, ends_at: time + lastsMs, used: 0});
		},
	};
};
