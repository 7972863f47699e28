import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import type {User} from './model/user.ts';
import type {SignedIn} from './sessions.ts';

export type NewUser = Readonly<{
	email: string;
	password: string;
	name?: string | undefined;
	invite?: string | undefined;
}>;

/** Makes accounts. */
export type Registration = Readonly<{
	/**
	 * @throws forbidden while registration is closed, or without a valid invite where one is needed;
	 * resource_exists when the address is taken; validation_error for a bad address or password.
	 */
	register(user: NewUser): Promise<SignedIn>;
	/** The first account of an empty database; undefined when there are accounts already. Ignores the registration mode. */
	createFirst(user: NewUser): Promise<User | undefined>;
}>;

export const createRegistration = (
	_needs: Pick<Ports, 'users' | 'clock' | 'ids' | 'secrets' | 'passwords'> & {
		signIn(user_id: string): Promise<SignedIn>;
	},
	_settings: CoreSettings,
): Registration => {
	throw new Error('not built');
};
