import {isIP} from 'node:net';
import {
	type Caller,
	type Clock,
	type CoreSettings,
	DomainError,
	mayUse,
	millisecondsOf,
	planOf,
	type RateLimit,
	type RateLimiter,
	type RateVerdict,
} from '@signalbox/core';

/** What the rate limit headers of one answer say. */
export type RateStanding = Readonly<{limit: number; remaining: number; resets_at_seconds: number}>;

/** Entry points with counters of their own: per client address, and per account. */
export type Throttled = 'login' | 'register' | 'refresh';

/** Limits that no plan sets. */
export type EdgeLimits = Readonly<{
	/** Requests of an address that carry no valid credential. */
	anonymous: RateLimit;
	address: Readonly<Record<Throttled, RateLimit>>;
	account: Readonly<Record<Throttled, RateLimit>>;
}>;

export const defaultEdgeLimits: EdgeLimits = {
	anonymous: {per_minute: 600, burst: 200},
	address: {
		login: {per_minute: 240, burst: 60},
		register: {per_minute: 240, burst: 60},
		refresh: {per_minute: 600, burst: 200},
	},
	account: {
		login: {per_minute: 20, burst: 20},
		register: {per_minute: 20, burst: 20},
		refresh: {per_minute: 300, burst: 100},
	},
};

/** What X-RateLimit-Limit says where there is no limit: the header takes a number. */
const unlimited = 2_147_483_647;

/** Counts requests, and refuses those over a limit. */
export type RateLimits = Readonly<{
	/** Counts for the user, by the user's plan. */
	caller(caller: Caller): Promise<RateVerdictFor>;
	/** Counts a call of an agent for the user, besides the plan's limit; of a key that is none for agents, within it. */
	agent(caller: Caller): Promise<RateVerdictFor>;
	/** Counts for an address that showed no valid credential. */
	anonymous(address: string): Promise<RateVerdictFor>;
	address(entry: Throttled, address: string): Promise<RateVerdictFor>;
	account(entry: Throttled, account: string): Promise<RateVerdictFor>;
}>;

/** How a counted request stands, and the error that refuses it, if any. */
export type RateVerdictFor = Readonly<{standing: RateStanding; refusal: DomainError | undefined}>;

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));

/** What one client is given: of IPv6 a /64 (RFC 6177), within which it may take any address it likes. */
export const networkOf = (address: string): string => {
	if (isIP(address) !== 6) return address;
	// A URL spells an address in one way; it takes no zone.
	const [bare = ''] = address.split('%');
	const [head = [], tail = []] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::').map(groupsOf);
	const gap = Array.from({length: 8 - head.length - tail.length}, () => '0');
	return `${[...head, ...gap, ...tail].slice(0, 4).join(':')}::/64`;
};

/** Commands that print make calls as they do so, which no request of a person is like (decisions, 28). */
const agentCallsOf = ({per_minute, burst}: RateLimit): RateLimit => ({
	per_minute: Math.max(6000, 100 * per_minute),
	burst: 100 * burst,
});

const secondsOf = (epoch_ms: number): number => Math.ceil(epoch_ms / 1000);

const judged = (limit: RateLimit, verdict: RateVerdict): RateVerdictFor => ({
	standing: {limit: limit.per_minute, remaining: verdict.remaining, resets_at_seconds: secondsOf(verdict.resets_at_ms)},
	refusal: verdict.allowed
		? undefined
		: new DomainError('rate_limited', {retryAfterSeconds: Math.max(1, verdict.retry_after_seconds)}),
});

export type RateLimitNeeds = Readonly<{
	rateLimiter: RateLimiter;
	clock: Clock;
	settings: Pick<CoreSettings, 'plans' | 'default_plan'>;
	limits: EdgeLimits;
}>;

export const createRateLimits = (needs: RateLimitNeeds): RateLimits => {
	const take = async (key: string, limit: RateLimit) => judged(limit, await needs.rateLimiter.take(key, limit));
	const ofPlan = (name: string): RateLimit | undefined => {
		const {api_requests_per_minute: per_minute, api_burst: burst} = planOf(needs.settings, name);
		return per_minute === null ? undefined : {per_minute, burst};
	};
	const free = (): RateVerdictFor => ({
		standing: {limit: unlimited, remaining: unlimited, resets_at_seconds: secondsOf(millisecondsOf(needs.clock.now()))},
		refusal: undefined,
	});
	const ofCaller: RateLimits['caller'] = async ({plan, user_id}) => {
		const limit = ofPlan(plan);
		return limit === undefined ? free() : take(`api:user:${user_id}`, limit);
	};
	return {
		caller: ofCaller,
		agent: async (caller) => {
			const limit = ofPlan(caller.plan);
			if (limit === undefined || !mayUse(caller, 'agent')) return ofCaller(caller);
			return take(`agent:user:${caller.user_id}`, agentCallsOf(limit));
		},
		anonymous: (address) => take(`api:address:${networkOf(address)}`, needs.limits.anonymous),
		address: (entry, address) => take(`${entry}:address:${networkOf(address)}`, needs.limits.address[entry]),
		// No account has a longer address: what is sent as one must not be kept whole.
		account: (entry, account) => take(`${entry}:account:${account.slice(0, 320)}`, needs.limits.account[entry]),
	};
};
