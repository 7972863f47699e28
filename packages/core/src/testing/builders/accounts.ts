import type {ApiKeyRecord} from '../../accounts/model/api-key.ts';
import type {Invite, Membership, Team} from '../../accounts/model/team.ts';
import type {UserRecord} from '../../accounts/model/user.ts';
import type {NewAccount, SessionStore} from '../../ports/index.ts';
import {buildId, builtAt, nextNumber} from './identity.ts';

export const buildUser = (fields: Partial<UserRecord> = {}): UserRecord => {
	const email = fields.email ?? `Person-${nextNumber()}@example.com`;
	return {
		id: buildId(),
		email,
		email_key: email.toLowerCase(),
		name: 'Ada Person',
		plan: 'self_hosted',
		active_team_id: buildId(),
		password_hash: 'not-a-hash',
		disabled: false,
		created_at: builtAt,
		updated_at: builtAt,
		...fields,
	};
};

export const buildTeam = (fields: Partial<Team> = {}): Team => ({
	id: buildId(),
	name: 'Platform',
	is_personal: false,
	created_at: builtAt,
	updated_at: builtAt,
	...fields,
});

/** A user with the personal team that is active. */
export const buildAccount = (fields: Partial<UserRecord> = {}): NewAccount => {
	const team = buildTeam({name: 'Personal', is_personal: true});
	return {user: buildUser({active_team_id: team.id, ...fields}), team};
};

export const buildMembership = (fields: Pick<Membership, 'team_id' | 'user_id'> & Partial<Membership>): Membership => ({
	role: 'member',
	created_at: builtAt,
	...fields,
});

export const buildInvite = (
	fields: Pick<Invite, 'team_id' | 'created_by'> & Partial<Invite>,
): Omit<Invite, 'created_at' | 'expires_at'> => ({
	id: buildId(),
	token_digest: `invite-digest-${nextNumber()}`,
	...fields,
});

export const buildApiKey = (fields: Pick<ApiKeyRecord, 'user_id'> & Partial<ApiKeyRecord>): ApiKeyRecord => {
	const prefix = fields.prefix ?? `k${String(nextNumber()).padStart(7, '0')}`;
	return {
		id: buildId(),
		name: 'Laptop',
		prefix,
		masked_key: `sbx_${prefix}_…`,
		scopes: ['api'],
		secret_digest: `secret-digest-${nextNumber()}`,
		last_used_at: null,
		expires_at: null,
		created_at: builtAt,
		...fields,
	};
};

type NewRefreshToken = Parameters<SessionStore['open']>[0];

export const buildRefreshToken = (
	fields: Pick<NewRefreshToken, 'user_id'> & Partial<NewRefreshToken>,
): NewRefreshToken => ({
	id: buildId(),
	family_id: buildId(),
	token_digest: `token-digest-${nextNumber()}`,
	lifetime_seconds: 7 * 24 * 3600,
	...fields,
});
