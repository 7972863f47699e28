import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidField} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import type {Caller} from '../values/caller.ts';
import {emailKeyOf, emailProblem} from '../values/email.ts';
import {schemaProblem} from '../values/schema-problems.ts';
import {nameText} from '../values/text.ts';
import type {User, UserRecord} from './model/user.ts';
import {passwordForm, passwordProblem} from './rules/password.ts';
import {userOf} from './rules/user-view.ts';
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
	 * resource_exists when the address is taken; validation_error for a bad address, password or name.
	 */
	register(user: NewUser): Promise<SignedIn>;
	/** The first account of an empty database; undefined when there are accounts already. Ignores the registration mode. */
	createFirst(user: NewUser): Promise<User | undefined>;
}>;

type Needs = Pick<Ports, 'users' | 'teams' | 'audit' | 'clock' | 'ids' | 'secrets' | 'passwords'> & {
	signIn(user_id: string): Promise<SignedIn>;
};

const check = ({email, password, name}: NewUser): void => {
	const problems = {
		email: emailProblem(email),
		password: passwordProblem(password),
		name: name === undefined ? undefined : schemaProblem(nameText, name),
	};
	for (const [field, problem] of Object.entries(problems)) {
		if (problem !== undefined) throw invalidField(field, problem);
	}
};

const accountMaker =
	({ids, clock, passwords}: Needs, plan: string) =>
	async (wanted: NewUser) => {
		check(wanted);
		const password_hash = await passwords.hash(passwordForm(wanted.password));
		const [user_id, team_id, now] = [ids.next(), ids.next(), clock.now()];
		const stamps = {created_at: now, updated_at: now};
		const user = {
			id: user_id,
			email: wanted.email,
			email_key: emailKeyOf(wanted.email),
			name: wanted.name ?? null,
			plan,
			active_team_id: team_id,
			password_hash,
			disabled: false,
			...stamps,
		};
		return {user, team: {id: team_id, name: 'Personal', is_personal: true, ...stamps}};
	};

/** In the audit of the team into which the user was invited. */
const recordJoining = async (needs: Needs, {id: user_id, plan}: UserRecord): Promise<void> => {
	const teams = await needs.teams.forUser(user_id);
	const record = createAuditTrail(needs);
	for (const {id: team_id, role} of teams.filter(({is_personal}) => !is_personal)) {
		const caller: Caller = {user_id, team_id, team_ids: [team_id], plan, credential: {kind: 'session'}};
		await record(caller, {action: 'team.member_added', target_id: user_id, data: {role}});
	}
};

const addressIsTaken = (cause: DomainError): DomainError => {
	const message = 'There is an account with this address already: sign in, or take another address.';
	return new DomainError('resource_exists', {message, details: [{path: 'email', message}], cause});
};

export const createRegistration = (needs: Needs, settings: CoreSettings): Registration => {
	const {users, secrets, signIn} = needs;
	// Looked up now: settings without their default plan fail at the start, not at the first registration.
	const makeAccount = accountMaker(needs, planOf(settings, settings.default_plan).name);

	const admit = (invite: string | undefined): void => {
		if (settings.registration === 'closed') throw new DomainError('forbidden', {message: 'Registration is closed.'});
		if (settings.registration === 'invite' && invite === undefined) {
			throw new DomainError('forbidden', {message: 'Registration needs an invite: ask an owner of a team for one.'});
		}
	};

	return {
		register: async (wanted) => {
			admit(wanted.invite);
			const account = await makeAccount(wanted);
			const invite_digest = wanted.invite === undefined ? undefined : secrets.digest(wanted.invite);
			await users.create({...account, invite_digest}).catch((error) => {
				throw error instanceof DomainError && error.reason === 'resource_exists' ? addressIsTaken(error) : error;
			});
			if (invite_digest !== undefined) await recordJoining(needs, account.user);
			return signIn(account.user.id);
		},
		createFirst: async (wanted) => {
			const account = await makeAccount(wanted);
			const isCreated = await users.create({...account, only_if_first: true});
			return isCreated ? userOf(account.user) : undefined;
		},
	};
};
