/** `per_minute` (at least 1) flow in steadily; the bucket holds a minute's worth and `burst` more. */
export type BucketLimit = Readonly<{per_minute: number; burst: number}>;

/** What a key has left. A key without a bucket has a full one. */
export type TokenBucket = Readonly<{
	/** In 60,000ths of a token: one flows in each millisecond per `per_minute`, so the arithmetic is exact. */
	level: number;
	/** When it stood at that level, in epoch milliseconds. */
	at: number;
	/** When it is full again, if nothing more is taken. */
	full_at: number;
}>;

export type BucketTake = Readonly<{
	allowed: boolean;
	/** Whole tokens left. */
	remaining: number;
	/** Milliseconds until one more token is there; 0 when one is there now. */
	wait_ms: number;
	bucket: TokenBucket;
}>;

const token = 60_000;

/** Takes one token if there is one. A clock that runs backwards fills nothing. */
export const takeToken = (bucket: TokenBucket | undefined, limit: BucketLimit, now: number): BucketTake => {
	const capacity = (limit.per_minute + limit.burst) * token;
	const inflow = bucket === undefined ? 0 : Math.max(0, now - bucket.at) * limit.per_minute;
	const held = Math.min(capacity, (bucket?.level ?? capacity) + inflow);
	const allowed = held >= token;
	const level = allowed ? held - token : held;
	return {
		allowed,
		remaining: Math.floor(level / token),
		wait_ms: Math.ceil(Math.max(0, token - level) / limit.per_minute),
		bucket: {level, at: now, full_at: now + Math.ceil((capacity - level) / limit.per_minute)},
	};
};

/** Of what is left, one in so many may be taken ahead: who shares the bucket does not miss it. */
const aheadShare = 256;

/**
 * Takes tokens for requests that are expected next: up to `wanted`, and none where few are left, so that a limit that is
 * nearly reached is counted one by one.
 */
export const takeAhead = ({level, at, full_at}: TokenBucket, {per_minute}: BucketLimit, wanted: number) => {
	const tokens = Math.min(wanted, Math.floor(level / token / aheadShare));
	const left = level - tokens * token;
	const bucket: TokenBucket = {level: left, at, full_at: full_at + Math.ceil((tokens * token) / per_minute)};
	return {tokens, remaining: Math.floor(left / token), bucket};
};

/** What whoever counts says of a take. */
export const verdictOf = ({allowed, remaining, wait_ms, bucket}: BucketTake) => ({
	allowed,
	remaining,
	resets_at_ms: bucket.full_at,
	retry_after_seconds: Math.ceil(wait_ms / 1000),
});
