import type {User, UserRecord} from '../model/user.ts';

/** An account as its owner sees it: field by field, so that a new one stays inside until it is named here. */
export const userOf = (user: UserRecord): User => ({
	id: user.id,
	email: user.email,
	name: user.name,
	plan: user.plan,
	active_team_id: user.active_team_id,
	created_at: user.created_at,
	updated_at: user.updated_at,
});
