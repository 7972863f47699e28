import type {Lifecycle, Request, Server} from '@hapi/hapi';
import type {Authentication, Caller, Presented} from '@signalbox/core';
import type {RateLimits} from './rate-limit.ts';
import {settleRate} from './request-state.ts';
import {requireApiScope} from './require-scope.ts';

export type AuthenticateNeeds = Readonly<{authentication: Authentication; limits: RateLimits}>;

const header = (request: Request, name: string): string | undefined => {
	const value = request.raw.req.headers[name];
	return Array.isArray(value) ? value.join(', ') : value;
};

/** What a request says about who sent it. */
export const presentedBy = (request: Request): Presented => ({
	authorization: header(request, 'authorization'),
	api_key: header(request, 'x-api-key'),
	// Ids are taken in upper case, too, wherever they stand.
	team_id: header(request, 'x-team-id')?.toLowerCase(),
});

/** A request without a valid credential is counted for its address, so guessing is bounded too. */
const callerOf = async (needs: AuthenticateNeeds, request: Request): Promise<Caller> => {
	try {
		return await needs.authentication.authenticate(presentedBy(request));
	} catch (error) {
		settleRate(request, await needs.limits.anonymous(request.app.clientAddress ?? ''));
		throw error;
	}
};

/** Adds the strategy `caller` to hapi: who calls, counted by their plan, with a credential that is made for the API. */
export const addAuthentication = (server: Server, needs: AuthenticateNeeds): void => {
	const authenticate: Lifecycle.Method = async (request, h) => {
		const caller = await callerOf(needs, request);
		settleRate(request, await needs.limits.caller(caller));
		requireApiScope(caller, request.route.settings.app?.key_scope);
		request.app.caller = caller;
		return h.authenticated({credentials: {}});
	};
	server.auth.scheme('caller', () => ({authenticate}));
	server.auth.strategy('caller', 'caller');
};
