import type {Request} from '@hapi/hapi';
import type {Caller, KeyScope} from '@signalbox/core';
import type {RateStanding, RateVerdictFor} from './rate-limit.ts';

declare module '@hapi/hapi' {
	interface RouteOptionsApp {
		/** A scope of API keys that does here without `api`. */
		key_scope?: KeyScope | undefined;
	}
	interface RequestApplicationState {
		requestId?: string;
		clientAddress?: string;
		caller?: Caller;
		standing?: RateStanding;
	}
}

/** Remembers how the request stands for its rate limit headers. @throws rate_limited when the verdict refuses it. */
export const settleRate = (request: Request, verdict: RateVerdictFor): void => {
	request.app.standing = verdict.standing;
	if (verdict.refusal) throw verdict.refusal;
};

/** True for a request to the API proper, which is counted and carries rate limit headers. */
export const isApi = (request: Request): boolean => request.path === '/v1' || request.path.startsWith('/v1/');
