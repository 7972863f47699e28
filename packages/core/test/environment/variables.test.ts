import type {Caller} from '@signalbox/core';
import {addCaller, createTestCore} from '@signalbox/core/testing';
import test from 'ava';

const secret = 'hunter2-hunter2';

const open = async () => {
	const {core, ports, clock} = createTestCore();
	const caller = await addCaller(ports);
	const other = await addCaller(ports);
	const {id: team_id} = await core.accounts.teams.create(caller, {name: 'Platform'});
	const inTeam = (who: Caller): Caller => ({...who, team_id, team_ids: [...who.team_ids, team_id]});
	return {core, ports, clock, ...core.environment, caller, other, team_id, inTeam};
};

const fields = ['created_at', 'description', 'id', 'is_secret', 'key', 'scope', 'updated_at', 'user_id'];

test('[ENV-004 ENV-006] no answer holds the value, secret or not', async (t) => {
	const {variables, caller} = await open();
	const answers = [];
	for (const is_secret of [true, false]) {
		const made = await variables.create(caller, {key: `K${is_secret}`, value: secret, is_secret});
		answers.push(made, await variables.get(caller, made.id));
		answers.push(await variables.update(caller, made.id, {value: `${secret}!`}));
	}
	answers.push(...(await variables.list(caller)));
	for (const answer of answers) t.deepEqual(Object.keys(answer).sort(), fields);
	t.false(JSON.stringify(answers).includes(secret));
});

test('[ENV-005 ENV-043] the value is stored sealed, secret or not, with the id of the master key', async (t) => {
	const {variables, ports, caller} = await open();
	for (const is_secret of [true, false]) {
		const {id} = await variables.create(caller, {key: `K${is_secret}`, value: secret, is_secret});
		const stored = await ports.variables.get(caller, id);
		t.is(stored?.value.kid, ports.cipher.currentKid());
		t.false(JSON.stringify(stored).includes(secret));
		t.false(Buffer.from(stored?.value.data ?? '', 'base64url').includes(secret));
	}
});

test('[ENV-013 ENV-014 ENV-015] a variable is secret, for all, and without description, if nothing else is said', async (t) => {
	const {variables, caller} = await open();
	t.like(await variables.create(caller, {key: 'A', value: ''}), {is_secret: true, scope: 'all', description: null});
});

test('[ENV-002 ENV-003] a variable names its owner, and its team if it has one', async (t) => {
	const {variables, caller, team_id, inTeam} = await open();
	const own = await variables.create(caller, {key: 'A', value: secret});
	t.is(own.user_id, caller.user_id);
	t.false('team_id' in own);
	t.like(await variables.create(inTeam(caller), {key: 'A', value: secret, team_id}), {team_id});
});

test('[ENV-011 ENV-012] a key exists once per user, and users do not get in their way', async (t) => {
	const {variables, caller, other} = await open();
	await variables.create(caller, {key: 'A', value: '1'});
	await t.throwsAsync(variables.create(caller, {key: 'A', value: '2'}), {code: 'resource_exists'});
	await t.notThrowsAsync(variables.create(other, {key: 'A', value: '3'}));
	await t.notThrowsAsync(variables.create(caller, {key: 'a', value: '4'}));
});

test('bad fields are named together', async (t) => {
	const {variables, caller} = await open();
	const attempt = variables.create(caller, {key: '1', value: 'x'.repeat(70_000), scope: 'no' as 'all'});
	const error = await t.throwsAsync(attempt, {code: 'validation_error'});
	t.like(error, {details: [{path: 'key'}, {path: 'value'}, {path: 'scope'}]});
	t.false(error.message.includes('xxx'));
});

test('[ENV-016] one lists one’s own variables and those of the active team, and nobody else’s', async (t) => {
	const {variables, caller, other, team_id, inTeam} = await open();
	await variables.create(caller, {key: 'OWN', value: '1'});
	await variables.create(inTeam(caller), {key: 'SHARED', value: '2', team_id});
	await variables.create(other, {key: 'OTHER', value: '3'});
	const keys = async (who: Caller) => (await variables.list(who)).map(({key}) => key);
	t.deepEqual(await keys(caller), ['OWN']);
	t.deepEqual(await keys(inTeam(caller)), ['OWN', 'SHARED']);
	t.deepEqual(await keys(inTeam(other)), ['OTHER', 'SHARED']);
});

test('[ENV-018] value, description and scope change', async (t) => {
	const {variables, clock, caller} = await open();
	const made = await variables.create(caller, {key: 'A', value: '1'});
	await clock.advance(1000);
	const changed = await variables.update(caller, made.id, {value: '2', description: 'why', scope: 'mcp'});
	t.deepEqual(changed, {...made, description: 'why', scope: 'mcp', updated_at: clock.now()});
	t.deepEqual(await variables.get(caller, made.id), changed);
	await t.throwsAsync(variables.update(caller, made.id, {scope: 'no' as 'all'}), {code: 'validation_error'});
});

test('[ENV-020] a new value is sealed anew', async (t) => {
	const {variables, ports, caller} = await open();
	const {id} = await variables.create(caller, {key: 'A', value: secret});
	const sealed = async () => (await ports.variables.get(caller, id))?.value.data;
	const before = await sealed();
	await variables.update(caller, id, {description: 'why'});
	t.is(await sealed(), before);
	await variables.update(caller, id, {value: secret});
	t.not(await sealed(), before);
});

test('[ENV-022] a deleted variable is gone', async (t) => {
	const {variables, caller} = await open();
	const {id} = await variables.create(caller, {key: 'A', value: '1'});
	await variables.delete(caller, id);
	await t.throwsAsync(variables.get(caller, id), {code: 'resource_not_found'});
	await t.throwsAsync(variables.delete(caller, id), {code: 'resource_not_found'});
});

test("[ENV-025 ENV-026] another user's variable is as if it were not there", async (t) => {
	const {variables, caller, other} = await open();
	const {id} = await variables.create(caller, {key: 'A', value: '1'});
	for (const wanted of [id, 'unknown']) {
		await t.throwsAsync(variables.get(other, wanted), {code: 'resource_not_found'});
		await t.throwsAsync(variables.update(other, wanted, {value: '2'}), {code: 'resource_not_found'});
		await t.throwsAsync(variables.delete(other, wanted), {code: 'resource_not_found'});
	}
	await t.notThrowsAsync(variables.get(caller, id));
});

test('a team of others takes no variable', async (t) => {
	const {variables, other, team_id} = await open();
	const attempt = variables.create(other, {key: 'A', value: '1', team_id});
	await t.throwsAsync(attempt, {code: 'resource_not_found'});
});

test('changes are on record; a key of one’s own is not told to the team', async (t) => {
	const {core, variables, caller, team_id, inTeam} = await open();
	const member = inTeam(caller);
	const own = await variables.create(member, {key: 'OWN', value: secret});
	const shared = await variables.create(member, {key: 'SHARED', value: secret, team_id});
	await variables.update(caller, own.id, {value: `${secret}!`});
	await variables.update({...member, team_id: caller.team_id}, shared.id, {scope: 'mcp'});
	await variables.delete(member, shared.id);
	const {data} = await core.live.audit.list(member, {limit: 10, offset: 0});
	t.like(data, [
		{action: 'environment.deleted', target_id: shared.id},
		{action: 'environment.updated', target_id: shared.id, data: {key: 'SHARED', scope: 'mcp', fields: ['scope']}},
		{action: 'environment.created', target_id: shared.id},
		{action: 'environment.created', target_id: own.id},
	]);
	const told = JSON.stringify(data);
	t.false(told.includes(secret) || told.includes('OWN'));
});
