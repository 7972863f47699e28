import type {NewAccount} from '../../ports/index.ts';
import {buildAccount, buildInvite, buildRefreshToken} from '../builders/accounts.ts';
import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, type ContractWorld, idsOf, parallel, reasonOf, type Tenant, tally} from './world.ts';

const later = '2026-02-01T08:00:00.000Z';

const hour = 3600;

const addInvite = async ({stores}: ContractWorld, owner: Tenant, team_id: string): Promise<string> => {
	const {token_digest} = await stores.invites.create(buildInvite({team_id, created_by: owner.user_id}), hour);
	return token_digest;
};

const isStored = async ({stores}: ContractWorld, {user}: NewAccount): Promise<boolean> => {
	const found = [await stores.users.byId(user.id), ...(await stores.teams.forUser(user.id))];
	return found.some((record) => record !== undefined);
};

export const creatingUsers: Contract = {
	subject: 'users',
	cases: {
		'a created account is found by id and by address': async (t, {stores}) => {
			const account = buildAccount();
			t.is(await stores.users.create(account), true);
			t.deepEqual(await stores.users.byId(account.user.id), account.user);
			t.deepEqual(await stores.users.byEmail(account.user.email_key), account.user);
		},
		'an account comes with its personal team, which the user owns': async (t, {stores}) => {
			const {user, team} = buildAccount();
			await stores.users.create({user, team});
			t.deepEqual(await stores.teams.forUser(user.id), [{...team, role: 'owner'}]);
		},
		'unknown ids and addresses find nothing': async (t, {stores, addTenant}) => {
			await addTenant();
			t.is(await stores.users.byId(buildId()), undefined);
			t.is(await stores.users.byEmail('nobody@example.com'), undefined);
		},
		'a taken address rejects with resource_exists and stores nothing': async (t, world) => {
			const {user} = await world.addTenant();
			const second = buildAccount({email: user.email});
			t.is(await reasonOf(world.stores.users.create(second)), 'resource_exists');
			t.is(await isStored(world, second), false);
			t.deepEqual(await world.stores.users.byEmail(user.email_key), user);
		},
		'of parallel registrations of one address exactly one succeeds': async (t, {stores}) => {
			const answers = await parallel(20, () => reasonOf(stores.users.create(buildAccount({email: 'a@example.com'}))));
			t.deepEqual(tally(answers), {resolved: 1, resource_exists: 19});
			t.is((await stores.users.all()).length, 1);
		},
		'only_if_first makes the first account': async (t, {stores}) => {
			const account = buildAccount();
			t.is(await stores.users.create({...account, only_if_first: true}), true);
			t.deepEqual(await stores.users.byId(account.user.id), account.user);
		},
		'only_if_first answers false beside any other account, and stores nothing': async (t, world) => {
			await world.addTenant();
			const second = buildAccount();
			t.is(await world.stores.users.create({...second, only_if_first: true}), false);
			t.is(await isStored(world, second), false);
		},
		'of parallel first accounts exactly one is made': async (t, {stores}) => {
			const made = await parallel(10, () => stores.users.create({...buildAccount(), only_if_first: true}));
			t.deepEqual(tally(made), {true: 1, false: 9});
			t.is((await stores.users.all()).length, 1);
		},
	},
};

export const invitedUsers: Contract = {
	subject: 'users',
	cases: {
		'an invite makes the new user a member of its team': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const invite_digest = await addInvite(world, owner, team.id);
			const account = buildAccount();
			t.is(await world.stores.users.create({...account, invite_digest}), true);
			t.is((await world.stores.teams.get(account.user.id, team.id))?.role, 'member');
			t.is((await world.stores.teams.get(account.user.id, account.team.id))?.role, 'owner');
		},
		'an invite holds once: a used or unknown one rejects with forbidden and stores nothing': async (t, world) => {
			const owner = await world.addTenant();
			const used = await addInvite(world, owner, (await world.addTeam(owner)).id);
			await world.stores.users.create({...buildAccount(), invite_digest: used});
			for (const invite_digest of [used, 'never-made', used.toUpperCase()]) {
				const account = buildAccount();
				t.is(await reasonOf(world.stores.users.create({...account, invite_digest})), 'forbidden');
				t.is(await isStored(world, account), false);
			}
		},
		'each of several invites leads into its own team, and leaves the others as they are': async (t, world) => {
			const owner = await world.addTenant();
			const teams = [await world.addTeam(owner), await world.addTeam(owner), await world.addTeam(owner)];
			const digests: string[] = [];
			for (const {id} of teams) digests.push(await addInvite(world, owner, id));
			for (const index of [1, 0, 2]) {
				const account = buildAccount();
				t.is(await world.stores.users.create({...account, invite_digest: digests[index]}), true);
				const joined = idsOf(await world.stores.teams.forUser(account.user.id));
				t.deepEqual([...joined].sort(), [account.team.id, teams[index]?.id ?? ''].sort());
			}
		},
		'of parallel uses of one invite exactly one succeeds': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const invite_digest = await addInvite(world, owner, team.id);
			const use = () => reasonOf(world.stores.users.create({...buildAccount(), invite_digest}));
			t.deepEqual(tally(await parallel(10, use)), {resolved: 1, forbidden: 9});
			t.is((await world.stores.teams.members(team.id)).length, 2);
		},
		'an invite holds until its lifetime is over by the clock of the store': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const [first, second] = [await addInvite(world, owner, team.id), await addInvite(world, owner, team.id)];
			await world.advance(hour - 60);
			t.is(await reasonOf(world.stores.users.create({...buildAccount(), invite_digest: first})), 'resolved');
			await world.advance(120);
			t.is(await reasonOf(world.stores.users.create({...buildAccount(), invite_digest: second})), 'forbidden');
		},
		'an invite of somebody who is disabled holds no longer, and again once they are not': async (t, world) => {
			const [owner] = [await world.addTenant(), await world.addTenant()];
			const invite_digest = await addInvite(world, owner, (await world.addTeam(owner)).id);
			const register = () => reasonOf(world.stores.users.create({...buildAccount(), invite_digest}));
			await world.stores.users.update(owner.user_id, {disabled: true}, later);
			t.is(await register(), 'forbidden');
			await world.stores.users.update(owner.user_id, {disabled: false}, later);
			t.is(await register(), 'resolved');
		},
		'a refused registration leaves the invite usable': async (t, world) => {
			const owner = await world.addTenant();
			const invite_digest = await addInvite(world, owner, (await world.addTeam(owner)).id);
			const taken = buildAccount({email: owner.user.email});
			t.is(await reasonOf(world.stores.users.create({...taken, invite_digest})), 'resource_exists');
			t.is(await reasonOf(world.stores.users.create({...buildAccount(), invite_digest})), 'resolved');
		},
		'an invite expires its lifetime after it was made': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const request = buildInvite({team_id: owner.team_id, created_by: owner.user_id});
			const invite = await stores.invites.create(request, hour);
			const {created_at, expires_at, ...rest} = invite;
			t.deepEqual(rest, request);
			t.is(Date.parse(expires_at) - Date.parse(created_at), hour * 1000);
		},
	},
};

export const changingUsers: Contract = {
	subject: 'users',
	cases: {
		'an update changes the named fields and updated_at, of that user only': async (t, {stores, addTenant}) => {
			const [{user}, other] = [await addTenant(), await addTenant()];
			const renamed = {...user, name: 'Grace', updated_at: later};
			t.deepEqual(await stores.users.update(user.id, {name: 'Grace'}, later), renamed);
			const change = {name: null, plan: 'free', disabled: true};
			t.deepEqual(await stores.users.update(user.id, change, later), {...renamed, ...change});
			t.deepEqual(await stores.users.byId(user.id), {...renamed, ...change});
			t.deepEqual(await stores.users.byId(other.user_id), other.user);
			const theirs = await stores.users.update(other.user_id, {name: 'Grace'}, later);
			t.deepEqual(theirs, {...other.user, name: 'Grace', updated_at: later});
		},
		'an update of nobody answers undefined': async (t, {stores}) => {
			t.is(await stores.users.update(buildId(), {name: 'Nobody'}, later), undefined);
		},
		'a changed password revokes every refresh token of the user, and of nobody else': async (
			t,
			{stores, addTenant},
		) => {
			const [changing, other] = [await addTenant({password_hash: 'old'}), await addTenant()];
			for (const {user_id} of [changing, changing, other]) await stores.sessions.open(buildRefreshToken({user_id}));
			t.is(await stores.users.changePassword(changing.user_id, {from: 'old', to: 'new'}, later), true);
			t.is((await stores.users.byId(changing.user_id))?.password_hash, 'new');
			t.is((await stores.users.byId(changing.user_id))?.updated_at, later);
			t.deepEqual(await stores.sessions.active(changing.user_id), []);
			t.is((await stores.sessions.active(other.user_id)).length, 1);
		},
		'a password whose hash is no longer the one named stays, and so do the tokens': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant({password_hash: 'current'});
			await stores.sessions.open(buildRefreshToken({user_id}));
			t.is(await stores.users.changePassword(user_id, {from: 'older', to: 'new'}, later), false);
			t.is((await stores.users.byId(user_id))?.password_hash, 'current');
			t.is((await stores.sessions.active(user_id)).length, 1);
		},
		'without a named hash the password changes whatever it is; of nobody it does not': async (
			t,
			{stores, addTenant},
		) => {
			const {user_id} = await addTenant();
			t.is(await stores.users.changePassword(user_id, {to: 'reset'}, later), true);
			t.is((await stores.users.byId(user_id))?.password_hash, 'reset');
			t.is(await stores.users.changePassword(buildId(), {to: 'reset'}, later), false);
		},
		'of parallel password changes from one hash exactly one succeeds': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant({password_hash: 'old'});
			const change = (index: number) => stores.users.changePassword(user_id, {from: 'old', to: `new-${index}`}, later);
			const changed = await parallel(10, change);
			t.deepEqual(tally(changed), {true: 1, false: 9});
			t.is((await stores.users.byId(user_id))?.password_hash, `new-${changed.indexOf(true)}`);
		},
		'all users come oldest first, equally old ones by id': async (t, {stores, addTenant}) => {
			const young = await addTenant({created_at: '2026-01-31T10:00:00.000Z'});
			const second = await addTenant({id: buildId().replace('019c', '019d'), created_at: '2026-01-31T08:00:00.000Z'});
			const first = await addTenant({created_at: '2026-01-31T08:00:00.000Z'});
			t.deepEqual(idsOf(await stores.users.all()), [first.user_id, second.user_id, young.user_id]);
		},
	},
};

export const textOfUsers: Contract = {
	subject: 'users',
	needs: 'exact_text',
	cases: {
		'names and addresses are kept to the last character': async (t, {stores, addTenant}) => {
			for (const [index, name] of awkwardTexts.entries()) {
				const {user} = await addTenant({name, email: `${index}-ünï@example.com`});
				t.deepEqual(await stores.users.byEmail(user.email_key), user);
				t.deepEqual((await stores.teams.members(user.active_team_id)).at(0)?.name, name);
			}
		},
		'addresses that differ in an accent are different': async (t, {stores, addTenant}) => {
			const plain = await addTenant({email: 'rene@example.com'});
			const accented = await addTenant({email: 'ren\u00e9@example.com'});
			t.is((await stores.users.byEmail('rene@example.com'))?.id, plain.user_id);
			t.is((await stores.users.byEmail('ren\u00e9@example.com'))?.id, accented.user_id);
			t.is(await stores.users.byEmail('rene@example.com '), undefined);
		},
	},
};
