import {DomainError} from './errors.ts';
import {type Caller, type KeyScope, mayUse} from './values/caller.ts';

/** @throws forbidden where the caller's key lacks the scope, with a message that says what takes it. */
export const demandScope = (caller: Caller, scope: KeyScope, doing: string): void => {
	if (!mayUse(caller, scope))
		throw new DomainError('forbidden', {message: `${doing} needs an API key with scope ${scope}.`});
};
