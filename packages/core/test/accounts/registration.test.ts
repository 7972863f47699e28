import {type DomainError, instantOf, millisecondsOf} from '@signalbox/core';
import {createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {password, registerCaller} from './registered.ts';

const email = 'Ada@Example.com';

test('[ACC-004] registering answers a pair of tokens and the user', async (t) => {
	const {core} = createTestCore();
	const signedIn = await core.accounts.registration.register({email, password, name: 'Ada'});
	t.deepEqual(Object.keys(signedIn).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user']);
	t.is(signedIn.token_type, 'Bearer');
	t.is(signedIn.expires_in, 900);
	t.is(signedIn.user.email, email);
	t.is(signedIn.user.name, 'Ada');
});

test('[ACC-028] the user is shown without anything of the password', async (t) => {
	const {core} = createTestCore();
	const {user} = await core.accounts.registration.register({email, password});
	const fields = ['active_team_id', 'created_at', 'email', 'id', 'name', 'plan', 'updated_at'];
	t.deepEqual(Object.keys(user).sort(), fields);
	t.is(user.name, null);
});

test('[ACC-043] the stored password is an argon2id hash', async (t) => {
	const {core, ports} = createTestCore();
	const {user} = await core.accounts.registration.register({email, password});
	const stored = await ports.users.byId(user.id);
	t.regex(stored?.password_hash ?? '', /^\$argon2id\$/);
	t.false(JSON.stringify(stored).includes(password));
});

test('[ACC-060] every user has a personal team, which is the active one', async (t) => {
	const {core} = createTestCore();
	const caller = await registerCaller({core}, email);
	const teams = await core.accounts.teams.list(caller);
	t.deepEqual(
		teams.map(({id, is_personal, role}) => ({id, is_personal, role})),
		[{id: caller.team_id, is_personal: true, role: 'owner'}],
	);
});

test('[ACC-010] an address is taken in any case', async (t) => {
	const {core} = createTestCore();
	await core.accounts.registration.register({email, password});
	const again = core.accounts.registration.register({email: 'aDA@eXAMPLE.COM', password});
	const message = 'There is an account with this address already: sign in, or take another address.';
	const error = await t.throwsAsync<DomainError>(again, {code: 'resource_exists', message});
	t.deepEqual(error.details, [{path: 'email', message}]);
});

test('of parallel registrations of one address exactly one succeeds', async (t) => {
	const {core} = createTestCore();
	const tries = Array.from({length: 5}, () => core.accounts.registration.register({email, password}));
	const outcomes = await Promise.allSettled(tries);
	t.is(outcomes.filter(({status}) => status === 'fulfilled').length, 1);
});

const refused = [
	{field: 'email', user: {email: 'ada', password}},
	{field: 'password', user: {email, password: '1234567'}},
	{field: 'password', user: {email, password: 'x'.repeat(257)}},
	{field: 'name', user: {email, password, name: ' '}},
	{field: 'name', user: {email, password, name: 'x'.repeat(201)}},
];

for (const [index, {field, user}] of refused.entries()) {
	test(`a bad ${field} is named (case ${index + 1})`, async (t) => {
		const {core} = createTestCore();
		const error = await t.throwsAsync(core.accounts.registration.register(user), {code: 'validation_error'});
		t.like(error, {details: [{path: field}]});
	});
}

test('[ACC-104] closed registration refuses everybody', async (t) => {
	const {core} = createTestCore({settings: {registration: 'closed'}});
	await t.throwsAsync(core.accounts.registration.register({email, password}), {code: 'forbidden'});
	await t.throwsAsync(core.accounts.registration.register({email, password, invite: 'x'}), {code: 'forbidden'});
});

const openByInvite = async () => {
	const {core, clock} = createTestCore({settings: {registration: 'invite'}});
	const first = await core.accounts.registration.createFirst({email: 'owner@example.com', password});
	const {access_token} = await core.accounts.sessions.login({email: 'owner@example.com', password});
	const owner = await core.accounts.authentication.authenticate({authorization: `Bearer ${access_token}`});
	const team = await core.accounts.teams.create(owner, {name: 'Platform'});
	return {core, clock, first, owner, team};
};

test('[ACC-105] by invite, nobody registers without one', async (t) => {
	const {core} = await openByInvite();
	await t.throwsAsync(core.accounts.registration.register({email, password}), {code: 'forbidden'});
	await t.throwsAsync(core.accounts.registration.register({email, password, invite: 'made up'}), {code: 'forbidden'});
});

test('[ACC-113] an invite registers one person, who joins the team', async (t) => {
	const {core, owner, team} = await openByInvite();
	const {token} = await core.accounts.teams.invite(owner, team.id);
	const {user} = await core.accounts.registration.register({email, password, invite: token});
	const {members} = await core.accounts.teams.get(owner, team.id);
	t.deepEqual(
		members.map(({user_id, role}) => ({user_id, role})),
		[
			{user_id: owner.user_id, role: 'owner'},
			{user_id: user.id, role: 'member'},
		],
	);
	const again = core.accounts.registration.register({email: 'eve@example.com', password, invite: token});
	await t.throwsAsync(again, {code: 'forbidden'});
});

test('[ACC-113] an invite ends after 7 days', async (t) => {
	const {core, clock, owner, team} = await openByInvite();
	const {token, expires_at} = await core.accounts.teams.invite(owner, team.id);
	t.is(expires_at, instantOf(millisecondsOf(clock.now()) + 7 * 24 * 3600 * 1000));
	await clock.advance(7 * 24 * 3600 * 1000);
	const late = core.accounts.registration.register({email, password, invite: token});
	await t.throwsAsync(late, {code: 'forbidden'});
});

test('the first account is made on an empty database only, whatever the registration mode', async (t) => {
	const {core} = createTestCore({settings: {registration: 'closed'}});
	const first = await core.accounts.registration.createFirst({email, password});
	t.is(first?.email, email);
	t.is(await core.accounts.registration.createFirst({email: 'b@example.com', password}), undefined);
	t.is((await core.accounts.users.operator.list()).length, 1);
});

test('who joins by an invite is in the audit of that team', async (t) => {
	const {core, owner, team} = await openByInvite();
	const {token} = await core.accounts.teams.invite(owner, team.id);
	const {user} = await core.accounts.registration.register({email, password, invite: token});
	await core.accounts.teams.activate(owner, team.id);
	const inTeam = {...owner, team_id: team.id, team_ids: [...owner.team_ids, team.id]};
	const {data} = await core.live.audit.list(inTeam, {limit: 10, offset: 0});
	t.like(data[0], {action: 'team.member_added', target_id: user.id, user_id: user.id, data: {role: 'member'}});
});
