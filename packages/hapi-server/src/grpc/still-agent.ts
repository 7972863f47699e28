import {type Caller, type Clock, type Core, demandScope, isUnavailable} from '@signalbox/core';

type Needs = Readonly<{core: Pick<Core, 'accounts'>; clock: Clock}>;

/** Of calls that stay open without asking for work. Milliseconds. */
const recheckMs = 5000;

/** @throws forbidden for an API key that is not made for agents. */
export const requireAgentScope = (caller: Caller): void => demandScope(caller, 'agent', 'An agent');

/**
 * Asks every few seconds whether a caller who was let in would still be.
 * @returns the refusal once they would not; undefined when the signal aborts.
 */
export const refusalOf = async ({core, clock}: Needs, caller: Caller, signal: AbortSignal): Promise<unknown> => {
	for (;;) {
		await clock.sleep(recheckMs, signal);
		if (signal.aborted) return undefined;
		try {
			requireAgentScope(await core.accounts.authentication.renew(caller));
		} catch (error) {
			// What cannot be asked is asked again.
			if (!isUnavailable(error)) return error;
		}
	}
};
