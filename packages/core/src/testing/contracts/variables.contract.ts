import {buildMembership} from '../builders/accounts.ts';
import {buildSealed, buildVariable} from '../builders/environment.ts';
import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, idsOf, parallel, reasonOf, tally} from './world.ts';

const later = '2026-02-01T08:00:00.000Z';

export const variables: Contract = {
	subject: 'variables',
	cases: {
		'a created variable is answered as it was made, a personal one without team_id': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const variable = buildVariable({user_id: owner.user_id, scope: 'mcp', is_secret: false, description: 'Token'});
			const ofTeam = buildVariable({user_id: owner.user_id, team_id: owner.team_id});
			for (const made of [variable, ofTeam]) {
				await stores.variables.create(made);
				t.deepEqual(await stores.variables.get(owner, made.id), made);
			}
		},
		'a key exists once for a user and once for each team': async (t, {stores, addTenant, addTeam}) => {
			const [owner, other] = [await addTenant(), await addTenant()];
			const team = await addTeam(owner);
			const {user_id} = owner;
			const owners = [
				{user_id},
				{user_id, team_id: team.id},
				{user_id, team_id: owner.team_id},
				{user_id: other.user_id},
			];
			for (const fields of owners) {
				t.is(await reasonOf(stores.variables.create(buildVariable({...fields, key: 'TOKEN'}))), 'resolved');
				t.is(await reasonOf(stores.variables.create(buildVariable({...fields, key: 'TOKEN'}))), 'resource_exists');
			}
			const byMember = buildVariable({user_id: other.user_id, team_id: team.id, key: 'TOKEN'});
			t.is(await reasonOf(stores.variables.create(byMember)), 'resource_exists');
		},
		'of parallel creates of one key exactly one succeeds, for a user and for a team': async (
			t,
			{stores, addTenant},
		) => {
			const {user_id, team_id, ...viewer} = await addTenant();
			for (const fields of [{user_id}, {user_id, team_id}]) {
				const create = () => reasonOf(stores.variables.create(buildVariable({...fields, key: 'TOKEN'})));
				t.deepEqual(tally(await parallel(10, create)), {resolved: 1, resource_exists: 9});
			}
			t.is((await stores.variables.list({...viewer, user_id})).length, 2);
		},
		'a team that is gone takes no variables: resource_not_found': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const fields = {user_id, team_id: buildId()};
			t.is(await reasonOf(stores.variables.create(buildVariable(fields))), 'resource_not_found');
		},
		'the list is by key, then id': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const {user_id, team_id} = owner;
			const first = buildVariable({user_id, key: 'A'});
			const second = buildVariable({user_id, team_id, key: 'A'});
			const [third, fourth] = [buildVariable({user_id, key: 'B'}), buildVariable({user_id, key: 'a'})];
			for (const variable of [fourth, third, second, first]) await stores.variables.create(variable);
			t.deepEqual(await stores.variables.list(owner), [first, second, third, fourth]);
		},
		'an update changes the named fields and updated_at, and null clears': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const [variable, other] = [
				buildVariable({user_id: owner.user_id, description: 'Token', key: 'A'}),
				buildVariable({user_id: owner.user_id, key: 'B'}),
			];
			for (const made of [variable, other]) await stores.variables.create(made);
			const change = {value: buildSealed(), scope: 'cron', is_secret: false} as const;
			const changed = {...variable, ...change, updated_at: later};
			t.deepEqual(await stores.variables.update(owner, variable.id, {...change, updated_at: later}), changed);
			const cleared = {...changed, description: null};
			t.deepEqual(await stores.variables.update(owner, variable.id, {description: null, updated_at: later}), cleared);
			t.deepEqual(await stores.variables.list(owner), [cleared, other]);
			t.is(await stores.variables.update(owner, buildId(), {description: null, updated_at: later}), undefined);
		},
		'a deleted variable is gone, gone once, and its key is free': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const variable = buildVariable({user_id: owner.user_id});
			await stores.variables.create(variable);
			const deleted = await parallel(5, () => stores.variables.delete(owner, variable.id));
			t.deepEqual(tally(deleted), {true: 1, false: 4});
			t.is(await stores.variables.get(owner, variable.id), undefined);
			t.is(await reasonOf(stores.variables.create({...variable, id: buildId()})), 'resolved');
		},
	},
};

export const tenancyOfVariables: Contract = {
	subject: 'variables',
	cases: {
		'another user neither sees, changes nor deletes a variable': async (t, {stores, addTenant}) => {
			const [owner, other] = [await addTenant(), await addTenant()];
			const {user_id, team_id} = owner;
			for (const variable of [buildVariable({user_id}), buildVariable({user_id, team_id})]) {
				await stores.variables.create(variable);
				t.is(await stores.variables.get(other, variable.id), undefined);
				t.is(await stores.variables.update(other, variable.id, {description: 'mine', updated_at: later}), undefined);
				t.is(await stores.variables.delete(other, variable.id), false);
				t.deepEqual(await stores.variables.get(owner, variable.id), variable);
			}
			t.deepEqual(await stores.variables.list(other), []);
		},
		'members see, change and delete the variables of their team, but no personal ones': async (t, world) => {
			const {stores, addTenant, addTeam} = world;
			const [owner, member] = [await addTenant(), await addTenant()];
			const team = await addTeam(owner);
			await stores.teams.addMember(buildMembership({team_id: team.id, user_id: member.user_id}), 1000);
			const viewer = {user_id: member.user_id, team_ids: [member.team_id, team.id]};
			const shared = buildVariable({user_id: owner.user_id, team_id: team.id});
			for (const variable of [shared, buildVariable({user_id: owner.user_id})]) await stores.variables.create(variable);
			t.deepEqual(await stores.variables.list(viewer), [shared]);
			t.is((await stores.variables.update(viewer, shared.id, {scope: 'mcp', updated_at: later}))?.scope, 'mcp');
			t.is(await stores.variables.delete(viewer, shared.id), true);
		},
		'who left the team no longer sees its variables, not even the ones they made': async (t, world) => {
			const owner = await world.addTenant();
			const team = await world.addTeam(owner);
			const variable = buildVariable({user_id: owner.user_id, team_id: team.id});
			await world.stores.variables.create(variable);
			t.is(await world.stores.variables.get(owner, variable.id), undefined);
			t.deepEqual(await world.stores.variables.list(owner), []);
			t.is(await world.stores.variables.update(owner, variable.id, {scope: 'mcp', updated_at: later}), undefined);
			t.is(await world.stores.variables.delete(owner, variable.id), false);
		},
		'by keys answers what that very owner has of them, whatever the scope': async (t, {stores, addTenant, addTeam}) => {
			const [owner, other] = [await addTenant(), await addTenant()];
			const {user_id} = owner;
			const team = await addTeam(owner);
			const own = buildVariable({user_id, key: 'A', scope: 'webhook'});
			const shared = buildVariable({user_id, team_id: team.id, key: 'A'});
			const unnamed = buildVariable({user_id, key: 'B'});
			const foreign = buildVariable({user_id: other.user_id, key: 'A'});
			for (const variable of [own, shared, unnamed, foreign]) await stores.variables.create(variable);
			t.deepEqual(await stores.variables.byKeys({user_id, team_id: null}, ['A', 'C']), [own]);
			t.deepEqual(await stores.variables.byKeys({team_id: team.id}, ['A', 'B']), [shared]);
			t.deepEqual(await stores.variables.byKeys({team_id: owner.team_id}, ['A', 'B']), []);
			t.deepEqual(await stores.variables.byKeys({user_id, team_id: null}, []), []);
		},
	},
};

export const resealingVariables: Contract = {
	subject: 'variables',
	cases: {
		'what another key seals is found across tenants, up to the limit': async (t, {stores, addTenant}) => {
			const [one, two] = [await addTenant(), await addTenant()];
			const old = [one, two, two].map(({user_id}) => buildVariable({user_id, value: buildSealed({kid: 'k1'})}));
			const current = buildVariable({user_id: one.user_id, value: buildSealed({kid: 'k2'})});
			for (const variable of [...old, current]) await stores.variables.create(variable);
			t.deepEqual(idsOf(await stores.variables.sealedOtherwise('k2', 10)).toSorted(), idsOf(old));
			t.is((await stores.variables.sealedOtherwise('k2', 2)).length, 2);
			t.deepEqual(await stores.variables.sealedOtherwise('k1', 10), [current]);
		},
		'a value is resealed if it still is the one named, and nothing else changes': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const variable = buildVariable({user_id: owner.user_id});
			await stores.variables.create(variable);
			const to = buildSealed({kid: 'k2'});
			t.is(await stores.variables.reseal(variable.id, buildSealed(), to), false);
			t.is(await stores.variables.reseal(variable.id, {...variable.value, kid: 'k0'}, to), false);
			t.is(await stores.variables.reseal(buildId(), variable.value, to), false);
			t.deepEqual(await stores.variables.get(owner, variable.id), variable);
			const resealed = await parallel(5, () => stores.variables.reseal(variable.id, variable.value, to));
			t.deepEqual(tally(resealed), {true: 1, false: 4});
			t.deepEqual(await stores.variables.get(owner, variable.id), {...variable, value: to});
		},
	},
};

export const textOfVariables: Contract = {
	subject: 'variables',
	needs: 'exact_text',
	cases: {
		'keys that differ in case are different': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const variants = ['Token', 'TOKEN', 'token'].map((key) => buildVariable({user_id, key}));
			for (const variable of variants) await stores.variables.create(variable);
			const owner = {user_id, team_id: null};
			for (const variable of variants) t.deepEqual(await stores.variables.byKeys(owner, [variable.key]), [variable]);
		},
		'descriptions and values of 64 KiB are kept to the last character': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const {user_id} = owner;
			const large = '👩‍👩‍👧‍👦e\u0301'.repeat(2341);
			for (const description of [...awkwardTexts, large]) {
				const variable = buildVariable({user_id, description, value: {kid: 'k1', data: `${large}${description}`}});
				await stores.variables.create(variable);
				t.deepEqual(await stores.variables.get(owner, variable.id), variable);
			}
		},
		'an id in another case is another id': async (t, {stores, addTenant}) => {
			const owner = await addTenant();
			const variable = buildVariable({user_id: owner.user_id, id: 'id-abc'});
			await stores.variables.create(variable);
			for (const id of ['ID-ABC', 'id-abc ']) t.is(await stores.variables.get(owner, id), undefined);
		},
	},
};
