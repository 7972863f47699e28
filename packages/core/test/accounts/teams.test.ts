import type {Caller, KeyScope} from '@signalbox/core';
import {createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {registerCaller} from './registered.ts';

const open = async () => {
	const {core} = createTestCore();
	const owner = await registerCaller({core}, 'owner@example.com');
	const member = await registerCaller({core}, 'member@example.com');
	const outsider = await registerCaller({core}, 'outsider@example.com');
	const team = await core.accounts.teams.create(owner, {name: 'Platform'});
	await core.accounts.teams.addMember(owner, team.id, {email: 'Member@Example.com', role: 'member'});
	return {core, ...core.accounts, owner, member, outsider, team};
};

test('[ACC-064] who creates a team owns it', async (t) => {
	const {owner, team} = await open();
	t.like(team, {name: 'Platform', is_personal: false, role: 'owner'});
	t.deepEqual(
		team.members.map(({user_id, role}) => ({user_id, role})),
		[{user_id: owner.user_id, role: 'owner'}],
	);
});

test('[ACC-063] one lists the teams one belongs to', async (t) => {
	const {teams, member, outsider, team} = await open();
	t.deepEqual((await teams.list(member)).map(({id, role}) => `${id} ${role}`).sort(), [
		...[`${member.team_id} owner`, `${team.id} member`].sort(),
	]);
	t.deepEqual(
		(await teams.list(outsider)).map(({id}) => id),
		[outsider.team_id],
	);
});

test('[ACC-065] a team of others is as if it were not there', async (t) => {
	const {teams, outsider, team} = await open();
	const tries = [
		teams.get(outsider, team.id),
		teams.update(outsider, team.id, {name: 'Mine'}),
		teams.delete(outsider, team.id),
		teams.addMember(outsider, team.id, {email: 'outsider@example.com', role: 'owner'}),
		teams.removeMember(outsider, team.id, outsider.user_id),
		teams.activate(outsider, team.id),
		teams.invite(outsider, team.id),
		teams.get(outsider, 'unknown'),
	];
	for (const attempt of tries) await t.throwsAsync(attempt, {code: 'resource_not_found'});
});

test('[ACC-066] a team is renamed', async (t) => {
	const {teams, owner, team} = await open();
	t.is((await teams.update(owner, team.id, {name: 'Tools'})).name, 'Tools');
	t.is((await teams.update(owner, team.id, {})).name, 'Tools');
	const error = await t.throwsAsync(teams.update(owner, team.id, {name: ''}), {code: 'validation_error'});
	t.like(error, {details: [{path: 'name'}]});
});

test('[ACC-067] a team is deleted, and its members fall back to their own', async (t) => {
	const {teams, users, owner, member, team} = await open();
	await teams.activate(member, team.id);
	await teams.delete(owner, team.id);
	await t.throwsAsync(teams.get(owner, team.id), {code: 'resource_not_found'});
	t.is((await users.me(member)).active_team_id, member.team_id);
});

test('[ACC-068] a registered user is added by address', async (t) => {
	const {teams, owner, member, outsider, team} = await open();
	const added = await teams.addMember(owner, team.id, {email: 'OUTSIDER@example.com', role: 'owner'});
	t.like(added, {user_id: outsider.user_id, email: 'outsider@example.com', role: 'owner'});
	t.is((await teams.get(member, team.id)).members.length, 3);
});

test('who has no account, or is there already, is not added', async (t) => {
	const {teams, owner, team} = await open();
	const unknown = teams.addMember(owner, team.id, {email: 'nobody@example.com', role: 'member'});
	t.like(await t.throwsAsync(unknown, {code: 'resource_not_found'}), {details: [{path: 'email'}]});
	const again = teams.addMember(owner, team.id, {email: 'member@example.com', role: 'owner'});
	const message = 'The user is a member of this team already.';
	t.like(await t.throwsAsync(again, {code: 'resource_exists', message}), {details: [{path: 'email', message}]});
});

test('[ACC-071] a role is owner or member', async (t) => {
	const {teams, owner, team} = await open();
	const role = 'admin' as 'owner';
	const attempt = teams.addMember(owner, team.id, {email: 'outsider@example.com', role});
	t.like(await t.throwsAsync(attempt, {code: 'validation_error'}), {details: [{path: 'role'}]});
});

test('[ACC-069] a removed member no longer finds the team', async (t) => {
	const {teams, owner, member, team} = await open();
	await teams.removeMember(owner, team.id, member.user_id);
	await t.throwsAsync(teams.get(member, team.id), {code: 'resource_not_found'});
	await t.throwsAsync(teams.removeMember(owner, team.id, member.user_id), {code: 'resource_not_found'});
});

test('members leave by themselves, and the last owner stays', async (t) => {
	const {teams, owner, member, team} = await open();
	await t.throwsAsync(teams.removeMember(owner, team.id, owner.user_id), {code: 'conflict'});
	await t.throwsAsync(teams.removeMember(member, team.id, owner.user_id), {code: 'forbidden'});
	await t.notThrowsAsync(teams.removeMember(member, team.id, member.user_id));
	await t.throwsAsync(teams.removeMember(owner, owner.team_id, owner.user_id), {code: 'conflict'});
});

test('[ACC-070] an activated team is the active one', async (t) => {
	const {teams, member, team} = await open();
	t.is((await teams.activate(member, team.id)).active_team_id, team.id);
});

test('[ACC-111] members edit neither the team nor its members; a personal team stays', async (t) => {
	const {teams, owner, member, team} = await open();
	for (const attempt of [
		teams.update(member, team.id, {name: 'Mine'}),
		teams.delete(member, team.id),
		teams.addMember(member, team.id, {email: 'outsider@example.com', role: 'member'}),
		teams.invite(member, team.id),
	]) {
		await t.throwsAsync(attempt, {code: 'forbidden'});
	}
	await t.throwsAsync(teams.delete(owner, owner.team_id), {code: 'conflict'});
});

test('[ACC-056] a key that may not decide approvals brings nobody into a team who may', async (t) => {
	const {teams, owner, team} = await open();
	const keyed = (...scopes: KeyScope[]): Caller => ({...owner, credential: {kind: 'api_key', id: 'key', scopes}});
	const newcomer = {email: 'outsider@example.com', role: 'owner'} as const;
	await t.throwsAsync(teams.addMember(keyed('api'), team.id, newcomer), {code: 'forbidden'});
	await t.throwsAsync(teams.invite(keyed('api'), team.id), {code: 'forbidden'});
	await t.notThrowsAsync(teams.addMember(keyed('api', 'approvals'), team.id, newcomer));
	await t.notThrowsAsync(teams.invite(keyed('api', 'approvals'), team.id));
});

test('a user is in at most 1,000 teams, however they got there', async (t) => {
	const {core, ports} = createTestCore();
	const owner = await registerCaller({core}, 'owner@example.com');
	const popular = await registerCaller({core}, 'popular@example.com');
	const stamps = {created_at: ports.clock.now(), updated_at: ports.clock.now()};
	for (let index = 1; index < 1000; index += 1) {
		const membership = {team_id: `team ${index}`, user_id: popular.user_id, role: 'owner', ...stamps} as const;
		await ports.teams.create({id: membership.team_id, name: 'T', is_personal: false, ...stamps}, membership, 1000);
	}
	const {id} = await core.accounts.teams.create(owner, {name: 'One more'});
	const add = () => core.accounts.teams.addMember(owner, id, {email: 'popular@example.com', role: 'member'});
	await t.throwsAsync(add(), {code: 'conflict'});
	const team_ids = (await ports.teams.forUser(popular.user_id)).map((team) => team.id);
	await t.throwsAsync(core.accounts.teams.create({...popular, team_ids}, {name: 'Own'}), {code: 'conflict'});
	await core.accounts.teams.delete(popular, 'team 1');
	await t.notThrowsAsync(add());
});

test('a personal team takes nobody else', async (t) => {
	const {teams, owner} = await open();
	const added = teams.addMember(owner, owner.team_id, {email: 'member@example.com', role: 'member'});
	await t.throwsAsync(added, {code: 'conflict'});
	await t.throwsAsync(teams.invite(owner, owner.team_id), {code: 'conflict'});
});

test('changes are on record in their team; of a deleted one in the personal team', async (t) => {
	const {core, teams, owner, member, team} = await open();
	const {token} = await teams.invite(owner, team.id);
	await teams.removeMember(owner, team.id, member.user_id);
	const actions = async (team_id: string) => {
		const {data} = await core.live.audit.list({...owner, team_id}, {limit: 10, offset: 0});
		t.false(JSON.stringify(data).includes(token));
		return data.map(({action}) => action);
	};
	t.deepEqual(await actions(team.id), [
		'team.member_removed',
		'team.invite_created',
		'team.member_added',
		'team.created',
	]);
	await teams.delete(owner, team.id);
	t.deepEqual(await actions(owner.team_id), ['team.deleted']);
});
