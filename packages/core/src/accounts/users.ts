import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {User} from './model/user.ts';

/** The account of the caller, and what operators do to accounts. */
export type Users = Readonly<{
	me(caller: Caller): Promise<User>;
	/** @throws wrong_current_password; validation_error for a new password outside 8 to 256 characters; forbidden with an API key. */
	changePassword(caller: Caller, change: Readonly<{current_password: string; new_password: string}>): Promise<void>;
	/** For operators: no caller, no tenant. */
	operator: Readonly<{
		list(): Promise<readonly (User & Readonly<{disabled: boolean}>)[]>;
		/** @throws resource_not_found */
		resetPassword(email: string, new_password: string): Promise<void>;
		setDisabled(email: string, disabled: boolean): Promise<void>;
		setPlan(email: string, plan: string): Promise<void>;
	}>;
}>;

export const createUsers = (
	_needs: Pick<Ports, 'users' | 'clock' | 'passwords' | 'audit' | 'ids'> & {plans: readonly string[]},
): Users => {
	throw new Error('not built');
};
