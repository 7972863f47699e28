import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {User} from './model/user.ts';

/** What register, login and refresh answer. */
export type SignedIn = Readonly<{
	access_token: string;
	refresh_token: string;
	token_type: 'Bearer';
	/** Seconds the access token lives. */
	expires_in: number;
	user: User;
}>;

/** Signing in, staying in, and out. */
export type Sessions = Readonly<{
	/** @throws invalid_credentials for an unknown address, a wrong password and a disabled user, in the same time. */
	login(credentials: Readonly<{email: string; password: string}>): Promise<SignedIn>;
	/** Opens a new refresh-token family for a user who has just proved who they are. */
	signIn(user_id: string): Promise<SignedIn>;
	/** @throws invalid_token for an unknown, expired, revoked or replayed token. */
	refresh(refresh_token: string): Promise<SignedIn>;
	/** Revokes the token's family; an unknown token is no error. */
	logout(refresh_token: string): Promise<void>;
}>;

export const createSessions = (
	_needs: Pick<Ports, 'users' | 'sessions' | 'clock' | 'ids' | 'secrets' | 'passwords' | 'accessTokens'>,
	_settings: CoreSettings,
): Sessions => {
	throw new Error('not built');
};
