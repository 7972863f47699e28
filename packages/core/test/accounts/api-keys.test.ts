import {createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {callerByKey, registerCaller} from './registered.ts';

const open = async (plan = 'self_hosted') => {
	const {core, ports, clock} = createTestCore({settings: {default_plan: plan}});
	const caller = await registerCaller({core}, 'ada@example.com');
	return {core, ports, clock, ...core.accounts, caller};
};

test('[ACC-054] a key is sbx_, 8 id characters and a secret, and is answered once', async (t) => {
	const {apiKeys, caller} = await open();
	const {key, ...made} = await apiKeys.create(caller, {name: 'laptop'});
	t.regex(key, /^sbx_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
	t.is(made.masked_key, `${key.slice(0, 12)}_…`);
	t.deepEqual(await apiKeys.list(caller), [made]);
	t.deepEqual(await apiKeys.get(caller, made.id), made);
});

test('[ACC-055] only a hash of the secret is stored', async (t) => {
	const {apiKeys, ports, caller} = await open();
	const {key, id} = await apiKeys.create(caller, {name: 'laptop'});
	const stored = await ports.apiKeys.get(caller.user_id, id);
	t.false(JSON.stringify(stored).includes(key.slice(13)));
	t.is(stored?.secret_digest, ports.secrets.digest(key.slice(13)));
});

test('[ACC-049] a key is shown by its fields, without secret, prefix or owner', async (t) => {
	const {apiKeys, caller} = await open();
	const {id} = await apiKeys.create(caller, {name: 'laptop'});
	const fields = ['created_at', 'expires_at', 'id', 'last_used_at', 'masked_key', 'name', 'scopes'];
	t.deepEqual(Object.keys(await apiKeys.get(caller, id)).sort(), fields);
});

test('scopes default to api, and are kept once each', async (t) => {
	const {apiKeys, caller} = await open();
	t.deepEqual((await apiKeys.create(caller, {name: 'a'})).scopes, ['api']);
	t.deepEqual((await apiKeys.create(caller, {name: 'b', scopes: ['proxy', 'proxy']})).scopes, ['proxy']);
});

test('[ACC-114] a key makes no key with a scope it lacks', async (t) => {
	const {core, apiKeys, caller} = await open();
	const byKey = await callerByKey({core}, caller, ['api', 'proxy']);
	await t.throwsAsync(apiKeys.create(byKey, {name: 'more', scopes: ['api', 'approvals']}), {
		code: 'forbidden',
		message: /approvals/,
	});
	await t.notThrowsAsync(apiKeys.create(byKey, {name: 'as much', scopes: ['proxy', 'api']}));
	const proxyOnly = await callerByKey({core}, caller, ['proxy']);
	await t.throwsAsync(apiKeys.create(proxyOnly, {name: 'the default'}), {code: 'forbidden'});
});

test('a key makes none that approves, and none that outlives it', async (t) => {
	const {core, apiKeys, caller} = await open();
	const byKey = await callerByKey({core}, caller, ['api', 'approvals', 'proxy']);
	await t.throwsAsync(apiKeys.create(byKey, {name: 'twin', scopes: ['api', 'approvals']}), {
		code: 'forbidden',
		message: /signed in/,
	});
	t.is((await apiKeys.create(byKey, {name: 'for good'})).expires_at, null);
	const expires_at = '2036-01-01T00:00:00.000Z';
	const {id} = await apiKeys.create(caller, {name: 'for years', expires_at});
	const byExpiring: typeof caller = {...caller, credential: {kind: 'api_key', id, scopes: ['api']}};
	t.is((await apiKeys.create(byExpiring, {name: 'as long'})).expires_at, expires_at);
	const sooner = '2035-01-01T00:00:00.000Z';
	t.is((await apiKeys.create(byExpiring, {name: 'shorter', expires_at: sooner})).expires_at, sooner);
	await t.throwsAsync(apiKeys.create(byExpiring, {name: 'longer', expires_at: '2037-01-01T00:00:00.000Z'}), {
		code: 'validation_error',
	});
});

test('[ACC-098] beyond the number of the plan no key is made', async (t) => {
	const {apiKeys, caller} = await open('free');
	const first = await apiKeys.create(caller, {name: '1'});
	await apiKeys.create(caller, {name: '2'});
	await t.throwsAsync(apiKeys.create(caller, {name: '3'}), {code: 'plan_limit_reached'});
	await apiKeys.delete(caller, first.id);
	await t.notThrowsAsync(apiKeys.create(caller, {name: '3'}));
});

test('[ACC-099] parallel creates never exceed the number of the plan', async (t) => {
	const {apiKeys, caller} = await open('pro');
	const tries = Array.from({length: 30}, (_, index) => apiKeys.create(caller, {name: `${index}`}));
	const outcomes = await Promise.allSettled(tries);
	t.is(outcomes.filter(({status}) => status === 'fulfilled').length, 10);
	t.is((await apiKeys.list(caller)).length, 10);
});

const refused = [
	{field: 'name', request: {name: ''}},
	{field: 'name', request: {name: ' \n '}},
	{field: 'expires_at', request: {name: 'a', expires_at: '2020-01-01T00:00:00Z'}},
	{field: 'expires_at', request: {name: 'a', expires_at: 'tomorrow'}},
	{field: 'expires_at', request: {name: 'a', expires_at: '2099-02-30T00:00:00Z'}},
	{field: 'scopes', request: {name: 'a', scopes: []}},
];

for (const {field, request} of refused) {
	test(`a bad ${field} is named: ${JSON.stringify(request)}`, async (t) => {
		const {apiKeys, caller} = await open();
		const error = await t.throwsAsync(apiKeys.create(caller, request), {code: 'validation_error'});
		t.like(error, {details: [{path: field}]});
	});
}

test('an expiry is kept in one form', async (t) => {
	const {apiKeys, caller} = await open();
	const {expires_at} = await apiKeys.create(caller, {name: 'a', expires_at: '2099-01-01T00:00:00Z'});
	t.is(expires_at, '2099-01-01T00:00:00.000Z');
});

test('keys of others are as if they were not there', async (t) => {
	const {core, apiKeys, caller} = await open();
	const {id} = await apiKeys.create(caller, {name: 'mine'});
	const other = await registerCaller({core}, 'eve@example.com');
	t.deepEqual(await apiKeys.list(other), []);
	await t.throwsAsync(apiKeys.get(other, id), {code: 'resource_not_found'});
	await t.throwsAsync(apiKeys.delete(other, id), {code: 'resource_not_found'});
	await t.notThrowsAsync(apiKeys.get(caller, id));
});

test('keys that come and go are on record', async (t) => {
	const {core, apiKeys, caller} = await open();
	const byKey = await callerByKey({core}, caller, ['api']);
	const {id, key} = await apiKeys.create(byKey, {name: 'laptop'});
	await apiKeys.delete(caller, id);
	const {data} = await core.live.audit.list(caller, {limit: 10, offset: 0});
	const maker = byKey.credential.kind === 'api_key' ? byKey.credential.id : undefined;
	t.like(data, [
		{action: 'api_key.deleted', target_id: id, api_key_id: null},
		{action: 'api_key.created', target_id: id, api_key_id: maker, data: {scopes: ['api']}},
	]);
	t.false(JSON.stringify(data).includes(key.slice(13)));
});
