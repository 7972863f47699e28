import {mayUse} from '@signalbox/core';
import {createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {callerByKey, password, registerCaller} from './registered.ts';

const email = 'ada@example.com';

const open = async () => {
	const {core, ports, clock} = createTestCore();
	const signedIn = await core.accounts.registration.register({email, password});
	const authorization = `Bearer ${signedIn.access_token}`;
	const caller = await core.accounts.authentication.authenticate({authorization});
	const made = await core.accounts.apiKeys.create(caller, {name: 'script'});
	return {core, ports, clock, ...core.accounts, authorization, caller, made};
};

test('[ACC-038] an access token proves a signed-in session', async (t) => {
	const {caller} = await open();
	t.deepEqual(caller.credential, {kind: 'session'});
	t.deepEqual(caller.team_ids, [caller.team_id]);
});

test('[ACC-040] an API key proves its user and its scopes', async (t) => {
	const {authentication, caller, made} = await open();
	const byKey = await authentication.authenticate({api_key: made.key});
	t.deepEqual(byKey, {...caller, credential: {kind: 'api_key', id: made.id, scopes: ['api']}});
});

test('[ACC-041] a good bearer beside a bad key succeeds', async (t) => {
	const {authentication, authorization} = await open();
	await t.notThrowsAsync(authentication.authenticate({authorization, api_key: 'bad'}));
});

test('[ACC-042] a bad bearer beside a good key is refused', async (t) => {
	const {authentication, made} = await open();
	const presented = {authorization: 'Bearer bad', api_key: made.key};
	await t.throwsAsync(authentication.authenticate(presented), {code: 'invalid_token'});
});

test('nothing presented asks for a credential', async (t) => {
	const {authentication} = await open();
	await t.throwsAsync(authentication.authenticate({}), {code: 'authentication_required'});
});

test('[ACC-026 ACC-039] anything but our bearer token is refused', async (t) => {
	const {authentication, authorization, made} = await open();
	const token = authorization.slice('Bearer '.length);
	for (const refused of ['', 'Bearer', `Basic ${token}`, token, `${authorization}x`, `Bearer ${made.key}`]) {
		await t.throwsAsync(authentication.authenticate({authorization: refused}), {code: 'invalid_token'}, refused);
	}
});

test('who sends an API key as a bearer token is told where it goes', async (t) => {
	const {authentication, made} = await open();
	for (const key of [made.key, 'sbx_nobodys'])
		await t.throwsAsync(authentication.authenticate({authorization: `Bearer ${key}`}), {
			code: 'invalid_token',
			message: 'An API key is sent in X-API-Key, not in Authorization.',
		});
});

test('an unknown key, a wrong secret and a malformed key are refused alike', async (t) => {
	const {authentication, made} = await open();
	const wrong = `${made.key.slice(0, -1)}${made.key.endsWith('A') ? 'B' : 'A'}`;
	for (const api_key of [wrong, made.key.replace('sbx_', 'sbx_0'), `${made.key} `, '', 'sbx_', made.masked_key]) {
		await t.throwsAsync(authentication.authenticate({api_key}), {code: 'invalid_token'}, api_key);
	}
});

test('[ACC-057] a key past its expires_at is refused', async (t) => {
	const {authentication, apiKeys, clock, caller} = await open();
	const {key} = await apiKeys.create(caller, {
		name: 'brief',
		expires_at: new Date(Date.parse(clock.now()) + 1000).toISOString(),
	});
	await clock.advance(999);
	await t.notThrowsAsync(authentication.authenticate({api_key: key}));
	await clock.advance(1);
	await t.throwsAsync(authentication.authenticate({api_key: key}), {code: 'invalid_token'});
});

test('[ACC-058] a key without expires_at lives on', async (t) => {
	const {authentication, clock, made} = await open();
	await clock.advance(10 * 365 * 24 * 3600 * 1000);
	await t.notThrowsAsync(authentication.authenticate({api_key: made.key}));
});

test('[ACC-053] a deleted key is refused at once', async (t) => {
	const {authentication, apiKeys, caller, made} = await open();
	await apiKeys.delete(caller, made.id);
	await t.throwsAsync(authentication.authenticate({api_key: made.key}), {code: 'invalid_token'});
});

test('[ACC-059] use of a key is written down, at most once a minute', async (t) => {
	const {authentication, apiKeys, clock, caller, made} = await open();
	const lastUse = async () => (await apiKeys.get(caller, made.id)).last_used_at;
	t.is(await lastUse(), null);
	const first = clock.now();
	await authentication.authenticate({api_key: made.key});
	t.is(await lastUse(), first);
	await clock.advance(59_999);
	await authentication.authenticate({api_key: made.key});
	t.is(await lastUse(), first);
	await clock.advance(1);
	await authentication.authenticate({api_key: made.key});
	t.is(await lastUse(), clock.now());
});

test('a key of a disabled user is refused', async (t) => {
	const {authentication, users, made} = await open();
	await users.operator.setDisabled(email, true);
	await t.throwsAsync(authentication.authenticate({api_key: made.key}), {code: 'invalid_token'});
});

test('[ACC-061 ACC-062] a team is chosen for the call, else it is the active one', async (t) => {
	const {authentication, teams, caller, authorization} = await open();
	const team = await teams.create(caller, {name: 'Platform'});
	t.is((await authentication.authenticate({authorization})).team_id, caller.team_id);
	const chosen = await authentication.authenticate({authorization, team_id: team.id});
	t.is(chosen.team_id, team.id);
	t.deepEqual([...chosen.team_ids].sort(), [caller.team_id, team.id].sort());
	await teams.activate(caller, team.id);
	t.is((await authentication.authenticate({authorization})).team_id, team.id);
});

test('[ACC-112] a team of others is as if it were not there', async (t) => {
	const {core, authentication, authorization} = await open();
	const other = await registerCaller({core}, 'eve@example.com');
	for (const team_id of [other.team_id, 'unknown', '']) {
		await t.throwsAsync(authentication.authenticate({authorization, team_id}), {code: 'resource_not_found'});
	}
});

test('[ACC-056] a key may do what its scopes say, a session everything', async (t) => {
	const {core, caller} = await open();
	const proxyKey = await callerByKey({core}, caller, ['proxy']);
	t.true(mayUse(proxyKey, 'proxy'));
	t.false(mayUse(proxyKey, 'api'));
	t.false(mayUse(proxyKey, 'approvals'));
	t.true(mayUse(caller, 'approvals'));
});

test('our credentials are ours in any scheme and after their time; others are not', async (t) => {
	const {authentication, clock, authorization, made} = await open();
	await clock.advance(365 * 24 * 3600 * 1000);
	for (const ours of [authorization, `bearer  ${made.key}`, 'Bearer sbx_anything', made.key, `Token a, ${made.key}`]) {
		t.true(authentication.isOurs(ours), ours);
	}
	for (const other of ['', 'Bearer', 'Bearer opaque', 'Basic c2J4Xw==', 'Bearer xsbx_a', 'Bearer a.b.c']) {
		t.false(authentication.isOurs(other), other);
	}
});
