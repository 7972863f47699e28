import {type Caller, DomainError, mayUse} from '@signalbox/core';

/** @throws forbidden for an API key that is not made for the API, such as one that only calls tools. */
export const requireApiScope = (caller: Caller): void => {
	if (!mayUse(caller, 'api')) throw new DomainError('forbidden', {message: 'This API key lacks the scope api.'});
};
