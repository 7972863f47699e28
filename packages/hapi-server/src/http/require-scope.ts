import {type Caller, DomainError, type KeyScope, mayUse} from '@signalbox/core';

/**
 * @param instead a scope that does for what is asked, too.
 * @throws forbidden for an API key that is not made for the API, such as one that only calls tools.
 */
export const requireApiScope = (caller: Caller, instead?: KeyScope): void => {
	if (instead !== undefined && mayUse(caller, instead)) return;
	if (!mayUse(caller, 'api')) throw new DomainError('forbidden', {message: 'This API key lacks the scope api.'});
};
