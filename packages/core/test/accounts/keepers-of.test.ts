import {createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {keepersOf} from '../../src/keepers-of.ts';
import {registerCaller} from './registered.ts';

test('whoever made something is told of it, and once they have left the team its owners, and nobody else', async (t) => {
	const {core, ports} = createTestCore();
	const [owner, maker, other] = [
		await registerCaller({core}, 'owner@example.com'),
		await registerCaller({core}, 'maker@example.com'),
		await registerCaller({core}, 'other@example.com'),
	];
	const {id: team_id} = await core.accounts.teams.create(owner, {name: 'Platform'});
	for (const email of ['maker@example.com', 'other@example.com'])
		await core.accounts.teams.addMember(owner, team_id, {email, role: 'member'});
	const made = {team_id, user_id: maker.user_id};
	t.deepEqual(await keepersOf(ports, made), [maker.user_id]);
	await core.accounts.teams.removeMember(owner, team_id, maker.user_id);
	t.deepEqual(await keepersOf(ports, made), [owner.user_id]);
	t.deepEqual(await keepersOf(ports, {team_id: other.team_id, user_id: other.user_id}), [other.user_id]);
});
