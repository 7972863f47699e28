import type {Stores} from '../../ports/index.ts';
import type {Caller} from '../../values/caller.ts';
import {buildAccount} from './accounts.ts';

/** Stores a new account with its personal team, and answers it as a signed-in caller. */
export const addCaller = async (stores: Pick<Stores, 'users'>, fields: Partial<Caller> = {}): Promise<Caller> => {
	const account = buildAccount(fields.plan === undefined ? {} : {plan: fields.plan});
	await stores.users.create(account);
	return {
		user_id: account.user.id,
		team_id: account.team.id,
		team_ids: [account.team.id],
		plan: account.user.plan,
		credential: {kind: 'session'},
		...fields,
	};
};
