import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidField} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {emailKeyOf} from '../values/email.ts';
import type {User, UserRecord} from './model/user.ts';
import {passwordForm, passwordProblem} from './rules/password.ts';
import {userOf} from './rules/user-view.ts';

/** The account of the caller, and what operators do to accounts. */
export type Users = Readonly<{
	me(caller: Caller): Promise<User>;
	/**
	 * Signs the user out everywhere: every refresh token is revoked.
	 * @throws wrong_current_password; validation_error for a new password outside 8 to 256 characters; forbidden with an
	 * API key; conflict when the password changed meanwhile.
	 */
	changePassword(caller: Caller, change: Readonly<{current_password: string; new_password: string}>): Promise<void>;
	/** For operators: no caller, no tenant. All but `list` throw resource_not_found when no account has the address. */
	operator: Readonly<{
		list(): Promise<readonly (User & Readonly<{disabled: boolean}>)[]>;
		/** @throws validation_error for a new password outside 8 to 256 characters. */
		resetPassword(email: string, new_password: string): Promise<void>;
		setDisabled(email: string, disabled: boolean): Promise<void>;
		/** @throws validation_error for an unknown plan. */
		setPlan(email: string, plan: string): Promise<void>;
	}>;
}>;

type Needs = Pick<Ports, 'users' | 'clock' | 'passwords' | 'audit' | 'ids'> & {plans: readonly string[]};

const checkNewPassword = (new_password: string): void => {
	const problem = passwordProblem(new_password);
	if (problem !== undefined) throw invalidField('new_password', problem);
};

const passwordChanger = (needs: Needs): Users['changePassword'] => {
	const {users, clock, passwords} = needs;
	const record = createAuditTrail(needs);

	const prove = async (user: UserRecord, current: string): Promise<void> => {
		// What can be no password is wrong without the work of a hash.
		const matches =
			passwordProblem(current) === undefined && (await passwords.verify(passwordForm(current), user.password_hash));
		if (!matches) throw new DomainError('wrong_current_password');
	};

	return async (caller, {current_password, new_password}) => {
		if (caller.credential.kind !== 'session') {
			throw new DomainError('forbidden', {message: 'Sign in with the password to change it: an API key may not.'});
		}
		checkNewPassword(new_password);
		const user = await users.byId(caller.user_id);
		if (user === undefined) throw new DomainError('invalid_token');
		await prove(user, current_password);
		const hash = await passwords.hash(passwordForm(new_password));
		if (!(await users.changePassword(user.id, {from: user.password_hash, to: hash}, clock.now()))) {
			throw new DomainError('conflict', {message: 'The password was changed meanwhile.'});
		}
		await record(caller, {action: 'user.password_changed', target_id: user.id});
	};
};

const operatorOf = ({users, clock, passwords, plans, audit, ids}: Needs): Users['operator'] => {
	const find = async (email: string): Promise<UserRecord> => {
		const user = await users.byEmail(emailKeyOf(email));
		if (user === undefined) {
			throw new DomainError('resource_not_found', {message: 'No account has this address.'});
		}
		return user;
	};

	/** Told to the user as their own: an operator has no account to name. */
	const recordReset = ({id: user_id, active_team_id: team_id}: UserRecord) =>
		audit.append({
			id: ids.next(),
			team_id,
			user_id,
			api_key_id: null,
			action: 'user.password_changed',
			target_id: user_id,
			data: {by: 'operator'},
			created_at: clock.now(),
		});

	return {
		list: async () => (await users.all()).map((user) => ({...userOf(user), disabled: user.disabled})),
		resetPassword: async (email, new_password) => {
			checkNewPassword(new_password);
			const user = await find(email);
			const hash = await passwords.hash(passwordForm(new_password));
			await users.changePassword(user.id, {to: hash}, clock.now());
			await recordReset(user);
		},
		setDisabled: async (email, disabled) => {
			await users.update((await find(email)).id, {disabled}, clock.now());
		},
		setPlan: async (email, plan) => {
			if (!plans.includes(plan)) throw invalidField('plan', `must be one of ${plans.join(', ')}`);
			await users.update((await find(email)).id, {plan}, clock.now());
		},
	};
};

export const createUsers = (needs: Needs): Users => ({
	me: async (caller) => {
		const user = await needs.users.byId(caller.user_id);
		if (user === undefined) throw new DomainError('invalid_token');
		return userOf(user);
	},
	changePassword: passwordChanger(needs),
	operator: operatorOf(needs),
});
