import {DomainError, invalidField} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {emailKeyOf, emailProblem} from '../values/email.ts';
import type {UserRecord} from './model/user.ts';
import {passwordForm, passwordProblem} from './rules/password.ts';

export type Credentials = Readonly<{email: string; password: string}>;

/**
 * Finds the user whom email and password prove.
 * @throws invalid_credentials for an unknown address, a wrong password and a disabled user, in the same time;
 * validation_error for what cannot be an address or a password.
 */
export const createPasswordProof =
	({users, passwords}: Pick<Ports, 'users' | 'passwords'>) =>
	async ({email, password}: Credentials): Promise<UserRecord> => {
		for (const [field, problem] of [
			['email', emailProblem(email)],
			['password', passwordProblem(password)],
		] as const) {
			if (problem !== undefined) throw invalidField(field, problem);
		}
		const user = await users.byEmail(emailKeyOf(email));
		const matches = await passwords.verify(passwordForm(password), user?.password_hash);
		if (user === undefined || !matches || user.disabled) throw new DomainError('invalid_credentials');
		return user;
	};
