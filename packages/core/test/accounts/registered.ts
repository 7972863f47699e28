import type {Caller} from '@signalbox/core';
import type {TestCore} from '@signalbox/core/testing';

export const password = 'correct horse';

/** Registers an account and answers it as the caller that its access token proves. */
export const registerCaller = async ({core}: Pick<TestCore, 'core'>, email: string): Promise<Caller> => {
	const {access_token} = await core.accounts.registration.register({email, password});
	return core.accounts.authentication.authenticate({authorization: `Bearer ${access_token}`});
};

/** Makes a key for the caller and answers whoever presents it. */
export const callerByKey = async (
	{core}: Pick<TestCore, 'core'>,
	caller: Caller,
	scopes: Parameters<typeof core.accounts.apiKeys.create>[1]['scopes'],
): Promise<Caller> => {
	const {key} = await core.accounts.apiKeys.create(caller, {name: 'script', scopes});
	return core.accounts.authentication.authenticate({api_key: key});
};
