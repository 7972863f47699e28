import {createCore} from '@signalbox/core';
import {createCipher, generateKey} from '@signalbox/core/node';
import {addCaller, createTestCore} from '@signalbox/core/testing';
import test from 'ava';

const secret = 'hunter2-hunter2';

const open = async () => {
	const {core, ports} = createTestCore();
	const creator = await addCaller(ports);
	const {id: team_id} = await core.accounts.teams.create(creator, {name: 'Platform'});
	const caller = {...creator, team_ids: [...creator.team_ids, team_id]};
	const personal = {user_id: creator.user_id, team_id: creator.team_id};
	const shared = {user_id: creator.user_id, team_id};
	return {core, ports, ...core.environment, caller, personal, shared, team_id};
};

test('[ENV-039 ENV-050] references resolve in every text, the rest stays', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	await variables.create(caller, {key: 'A', value: 'one'});
	await variables.create(caller, {key: 'B', value: 'two'});
	const resolution = await resolver.resolve(personal, 'mcp', ['{{env.A}}-{{ env.B }}', '{{env.A}}', 'plain {{x}}']);
	t.deepEqual(resolution, {ok: true, texts: ['one-two', 'one', 'plain {{x}}']});
});

test('an empty value resolves to nothing', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	await variables.create(caller, {key: 'A', value: ''});
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['[{{env.A}}]']), {ok: true, texts: ['[]']});
});

test('[ENV-061 ENV-062] missing keys and keys out of scope are all named, with the use', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	await variables.create(caller, {key: 'CRON', value: secret, scope: 'cron'});
	await variables.create(caller, {key: 'GOOD', value: secret});
	const resolution = await resolver.resolve(personal, 'mcp', ['{{env.NONE}}{{env.GOOD}}', '{{env.CRON}}']);
	t.deepEqual(resolution, {
		ok: false,
		unresolved: [
			{key: 'NONE', use: 'mcp', because: 'missing'},
			{key: 'CRON', use: 'mcp', because: 'out_of_scope'},
		],
	});
});

test('[ENV-023] a deleted variable no longer resolves', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	const {id} = await variables.create(caller, {key: 'A', value: secret});
	await variables.delete(caller, id);
	const unresolved = [{key: 'A', use: 'mcp', because: 'missing'}];
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['{{env.A}}']), {ok: false, unresolved});
});

test('[ENV-063 ENV-020] a changed value holds from the next use on', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	const {id} = await variables.create(caller, {key: 'A', value: 'before'});
	t.deepEqual(await resolver.resolve(personal, 'cron', ['{{env.A}}']), {ok: true, texts: ['before']});
	await variables.update(caller, id, {value: 'after'});
	t.deepEqual(await resolver.resolve(personal, 'cron', ['{{env.A}}']), {ok: true, texts: ['after']});
});

test('[ENV-068] a value that looks like a reference arrives as those characters', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	await variables.create(caller, {key: 'A', value: '{{env.B}}'});
	await variables.create(caller, {key: 'B', value: secret});
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['{{env.A}}']), {ok: true, texts: ['{{env.B}}']});
});

test('[ENV-067] on a personal resource the own value wins over that of the team', async (t) => {
	const {variables, resolver, caller, personal} = await open();
	await variables.create(caller, {key: 'A', value: "the team's", team_id: caller.team_id});
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['{{env.A}}']), {ok: true, texts: ["the team's"]});
	await variables.create(caller, {key: 'A', value: 'my own'});
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['{{env.A}}']), {ok: true, texts: ['my own']});
});

test("[ENV-069] a team's resource sees its team's variables only", async (t) => {
	const {variables, resolver, caller, shared, team_id} = await open();
	await variables.create(caller, {key: 'OWN', value: secret});
	await variables.create(caller, {key: 'A', value: 'my own'});
	await variables.create(caller, {key: 'A', value: "the team's", team_id});
	t.deepEqual(await resolver.resolve(shared, 'mcp', ['{{env.A}}']), {ok: true, texts: ["the team's"]});
	const unresolved = [{key: 'OWN', use: 'mcp', because: 'missing'}];
	t.deepEqual(await resolver.resolve(shared, 'mcp', ['{{env.OWN}}']), {ok: false, unresolved});
});

test("[ENV-066] a team's variable resolves for resources of its other members too, and for nobody else", async (t) => {
	const {ports, variables, resolver, caller, team_id} = await open();
	const other = await addCaller(ports);
	await variables.create(caller, {key: 'A', value: "the team's", team_id});
	const ofOther = {user_id: other.user_id, team_id};
	t.deepEqual(await resolver.resolve(ofOther, 'mcp', ['{{env.A}}']), {ok: true, texts: ["the team's"]});
	const elsewhere = {user_id: other.user_id, team_id: other.team_id};
	t.false((await resolver.resolve(elsewhere, 'mcp', ['{{env.A}}'])).ok);
});

test("a member of a personal team's owner name only does not reach the owner's variables", async (t) => {
	const {ports, variables, resolver, caller} = await open();
	const other = await addCaller(ports);
	await variables.create(caller, {key: 'A', value: secret});
	const forged = {user_id: caller.user_id, team_id: other.team_id};
	t.false((await resolver.resolve(forged, 'mcp', ['{{env.A}}'])).ok);
});

test('[ENV-044] a sealed value that was copied to another row does not resolve', async (t) => {
	const {ports, variables, resolver, caller, personal, team_id} = await open();
	const a = await variables.create(caller, {key: 'A', value: secret});
	const b = await variables.create(caller, {key: 'B', value: 'b'});
	const shared = await variables.create(caller, {key: 'A', value: 'shared', team_id});
	const record = await ports.variables.get(caller, a.id);
	t.truthy(record);
	for (const {id} of [b, shared]) {
		await ports.variables.update(caller, id, {
			...(record && {value: record.value}),
			updated_at: record?.updated_at ?? '',
		});
	}
	const unreadable = (key: string) => ({ok: false, unresolved: [{key, use: 'mcp', because: 'unreadable'}]});
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['{{env.B}}']), unreadable('B'));
	const ofTeam = {user_id: caller.user_id, team_id};
	t.deepEqual(await resolver.resolve(ofTeam, 'mcp', ['{{env.A}}']), unreadable('A'));
});

test('[ENV-044] nor does one of a variable that was deleted and made again', async (t) => {
	const {ports, variables, resolver, caller, personal} = await open();
	const before = await variables.create(caller, {key: 'A', value: secret});
	const record = await ports.variables.get(caller, before.id);
	await variables.delete(caller, before.id);
	const {id} = await variables.create(caller, {key: 'A', value: 'another'});
	const updated_at = record?.updated_at ?? '';
	await ports.variables.update(caller, id, {...(record && {value: record.value}), updated_at});
	const unresolved = [{key: 'A', use: 'mcp', because: 'unreadable'}];
	t.deepEqual(await resolver.resolve(personal, 'mcp', ['{{env.A}}']), {ok: false, unresolved});
});

test('[ENV-065] whatever fails, no value is told', async (t) => {
	const {ports, core, caller, personal} = await open();
	await core.environment.variables.create(caller, {key: 'A', value: secret});
	await core.environment.variables.create(caller, {key: 'B', value: secret, scope: 'cron'});
	const cipher = createCipher({keys: [generateKey('other')]});
	const {resolver} = createCore({...ports, cipher}).environment;
	const resolution = await resolver.resolve(personal, 'mcp', ['{{env.A}}{{env.B}}{{env.C}}']);
	t.false(resolution.ok);
	t.false(JSON.stringify(resolution).includes(secret));
});

test('[ENV-045] values under an older master key still resolve', async (t) => {
	const {ports, caller, personal} = await open();
	const [older, newer] = [generateKey('older'), generateKey('newer')];
	const coreWith = (keys: readonly ReturnType<typeof generateKey>[]) =>
		createCore({...ports, cipher: createCipher({keys})}).environment;
	await coreWith([older]).variables.create(caller, {key: 'A', value: 'old'});
	const rotated = coreWith([newer, older]);
	await rotated.variables.create(caller, {key: 'B', value: 'new'});
	const resolution = await rotated.resolver.resolve(personal, 'mcp', ['{{env.A}} {{env.B}}']);
	t.deepEqual(resolution, {ok: true, texts: ['old new']});
	t.is((await ports.variables.byKeys({user_id: caller.user_id, team_id: null}, ['B']))[0]?.value.kid, 'newer');
});

test('texts that name a value again and again are refused, not filled without end', async (t) => {
	const {resolver, variables, caller, personal} = await open();
	await variables.create(caller, {key: 'A', value: 'x'.repeat(64 * 1024)});
	const unresolved = [{key: 'A', use: 'mcp', because: 'too_long'}];
	t.true((await resolver.resolve(personal, 'mcp', ['{{env.A}}'.repeat(16)])).ok);
	t.deepEqual(await resolver.resolve(personal, 'mcp', Array(17).fill('{{env.A}}')), {ok: false, unresolved});
});
