import {buildApiKey} from '../builders/accounts.ts';
import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, idsOf, parallel, reasonOf, tally} from './world.ts';

export const apiKeys: Contract = {
	subject: 'api keys',
	cases: {
		'a created key is found by its prefix, and by its user': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const key = buildApiKey({user_id, scopes: ['api', 'proxy'], expires_at: '2027-01-01T00:00:00.000Z'});
			await stores.apiKeys.create(key, null);
			t.deepEqual(await stores.apiKeys.byPrefix(key.prefix), key);
			t.deepEqual(await stores.apiKeys.get(user_id, key.id), key);
			t.deepEqual(await stores.apiKeys.list(user_id), [key]);
		},
		'a prefix or id that is unknown, or differs in case, finds nothing': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const key = buildApiKey({user_id, prefix: 'abcdEFGH'});
			await stores.apiKeys.create(key, null);
			for (const prefix of ['abcdefgh', 'ABCDEFGH', 'abcdEFGH ', 'abcdEFG']) {
				t.is(await stores.apiKeys.byPrefix(prefix), undefined);
			}
			t.is(await stores.apiKeys.get(user_id, buildId()), undefined);
		},
		'another user neither sees nor deletes a key': async (t, {stores, addTenant}) => {
			const [owner, other] = [await addTenant(), await addTenant()];
			const key = buildApiKey({user_id: owner.user_id});
			await stores.apiKeys.create(key, null);
			t.is(await stores.apiKeys.get(other.user_id, key.id), undefined);
			t.deepEqual(await stores.apiKeys.list(other.user_id), []);
			t.is(await stores.apiKeys.delete(other.user_id, key.id), false);
			t.deepEqual(await stores.apiKeys.get(owner.user_id, key.id), key);
		},
		'keys come oldest first, equally old ones by id': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const young = buildApiKey({user_id, created_at: '2026-01-31T10:00:00.000Z'});
			const [first, second] = [buildApiKey({user_id}), buildApiKey({user_id})];
			for (const key of [young, second, first]) await stores.apiKeys.create(key, null);
			t.deepEqual(idsOf(await stores.apiKeys.list(user_id)), [first.id, second.id, young.id]);
		},
		'a deleted key is gone, and gone only once': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const key = buildApiKey({user_id});
			await stores.apiKeys.create(key, null);
			t.deepEqual(tally(await parallel(5, () => stores.apiKeys.delete(user_id, key.id))), {true: 1, false: 4});
			t.is(await stores.apiKeys.byPrefix(key.prefix), undefined);
		},
		'the limit counts the keys of that user, and a deleted one makes room': async (t, {stores, addTenant}) => {
			const [{user_id}, other] = [await addTenant(), await addTenant()];
			const key = buildApiKey({user_id});
			await stores.apiKeys.create(key, 1);
			t.is(await reasonOf(stores.apiKeys.create(buildApiKey({user_id}), 1)), 'plan_limit_reached');
			t.is(await reasonOf(stores.apiKeys.create(buildApiKey({user_id: other.user_id}), 1)), 'resolved');
			t.is((await stores.apiKeys.list(user_id)).length, 1);
			await stores.apiKeys.delete(user_id, key.id);
			t.is(await reasonOf(stores.apiKeys.create(buildApiKey({user_id}), 1)), 'resolved');
		},
		'parallel creates never exceed the limit': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const answers = await parallel(30, () => reasonOf(stores.apiKeys.create(buildApiKey({user_id}), 5)));
			t.deepEqual(tally(answers), {resolved: 5, plan_limit_reached: 25});
			t.is((await stores.apiKeys.list(user_id)).length, 5);
		},
		'a touch sets last_used_at of that key and nothing else; an unknown key is no error': async (
			t,
			{stores, addTenant},
		) => {
			const {user_id} = await addTenant();
			const [key, other] = [buildApiKey({user_id}), buildApiKey({user_id})];
			await stores.apiKeys.create(key, null);
			await stores.apiKeys.create(other, null);
			const last_used_at = '2026-02-01T08:00:00.000Z';
			await stores.apiKeys.touch(key.id, last_used_at);
			await stores.apiKeys.touch(buildId(), last_used_at);
			t.deepEqual(await stores.apiKeys.list(user_id), [{...key, last_used_at}, other]);
		},
	},
};

export const textOfApiKeys: Contract = {
	subject: 'api keys',
	needs: 'exact_text',
	cases: {
		'names are kept to the last character': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			for (const name of awkwardTexts) {
				const key = buildApiKey({user_id, name});
				await stores.apiKeys.create(key, null);
				t.deepEqual(await stores.apiKeys.get(user_id, key.id), key);
			}
		},
	},
};
