import {createCore, type PasswordHasher} from '@signalbox/core';
import {createAccessTokens, createSecrets, generateKey} from '@signalbox/core/node';
import {createTestCore, createTestPorts} from '@signalbox/core/testing';
import test from 'ava';
import {password} from './registered.ts';

const email = 'ada@example.com';
const week = 7 * 24 * 3600 * 1000;

const open = async () => {
	const {core, ports, clock} = createTestCore();
	const first = await core.accounts.registration.register({email, password});
	return {...core.accounts, ports, clock, first};
};

test('[ACC-011] login compares addresses in any case', async (t) => {
	const {sessions} = await open();
	const signedIn = await sessions.login({email: 'ADA@example.COM', password});
	t.is(signedIn.user.email, email);
});

test('[ACC-015] unknown address, wrong password and disabled user are refused in the same words', async (t) => {
	const {sessions, users, registration} = await open();
	await registration.register({email: 'off@example.com', password});
	await users.operator.setDisabled('off@example.com', true);
	const refused = [
		{email: 'nobody@example.com', password},
		{email, password: 'wrong horse'},
		{email: 'off@example.com', password},
	];
	const errors = await Promise.all(
		refused.map((credentials) => t.throwsAsync(sessions.login(credentials), {code: 'invalid_credentials'})),
	);
	t.is(new Set(errors.map((error) => error.message)).size, 1);
});

test('[ACC-016] whether or not the address is known, a login computes exactly one hash', async (t) => {
	const {ports} = createTestPorts();
	const verified: (string | undefined)[] = [];
	const passwords: PasswordHasher = {
		...ports.passwords,
		verify: (text, hash) => {
			verified.push(hash);
			return ports.passwords.verify(text, hash);
		},
	};
	const {registration, sessions} = createCore({...ports, passwords}).accounts;
	await registration.register({email, password});
	await t.throwsAsync(sessions.login({email: 'nobody@example.com', password}));
	t.deepEqual(verified, [undefined]);
	await t.throwsAsync(sessions.login({email, password: 'wrong horse'}));
	t.is(verified.length, 2);
});

test('[ACC-013] what cannot be an address or a password is named', async (t) => {
	const {sessions} = await open();
	const byEmail = await t.throwsAsync(sessions.login({email: 'ada', password}), {code: 'validation_error'});
	t.like(byEmail, {details: [{path: 'email'}]});
	const byPassword = await t.throwsAsync(sessions.login({email, password: 'short'}), {code: 'validation_error'});
	t.like(byPassword, {details: [{path: 'password'}]});
});

test('a login that a password change overtakes opens nothing', async (t) => {
	const {ports} = createTestPorts();
	const overtaken: PasswordHasher = {
		...ports.passwords,
		verify: async (text, hash) => {
			const matches = await ports.passwords.verify(text, hash);
			await plain.users.operator.resetPassword(email, 'another horse');
			return matches;
		},
	};
	const plain = createCore(ports).accounts;
	const {user} = await plain.registration.register({email, password});
	const {sessions} = createCore({...ports, passwords: overtaken}).accounts;
	await t.throwsAsync(sessions.login({email, password}), {code: 'invalid_credentials'});
	t.deepEqual(await ports.sessions.active(user.id), []);
});

test('[ACC-019] a refresh answers a new pair, and the next one goes on from it', async (t) => {
	const {sessions, authentication, clock, first} = await open();
	await clock.advance(60_000);
	const second = await sessions.refresh(first.refresh_token);
	t.not(second.refresh_token, first.refresh_token);
	t.not(second.access_token, first.access_token);
	t.is((await authentication.authenticate({authorization: `Bearer ${second.access_token}`})).user_id, first.user.id);
	const third = await sessions.refresh(second.refresh_token);
	t.not(third.refresh_token, second.refresh_token);
});

test('[ACC-022] within the grace a used token answers the very same pair, and revokes nothing', async (t) => {
	const {sessions, clock, first} = await open();
	const second = await sessions.refresh(first.refresh_token);
	await clock.advance(9_999);
	t.deepEqual(await sessions.refresh(first.refresh_token), second);
	await t.notThrowsAsync(sessions.refresh(second.refresh_token));
});

test('[ACC-022] parallel refreshes are all answered the same pair', async (t) => {
	const {sessions, first} = await open();
	const pairs = await Promise.all(Array.from({length: 5}, () => sessions.refresh(first.refresh_token)));
	t.is(new Set(pairs.map((pair) => `${pair.refresh_token} ${pair.access_token}`)).size, 1);
});

test('[ACC-020 ACC-021] after the grace a used token is refused, and so is the family that came of it', async (t) => {
	const {sessions, clock, first} = await open();
	const second = await sessions.refresh(first.refresh_token);
	const elsewhere = await sessions.login({email, password});
	await clock.advance(10_001);
	await t.throwsAsync(sessions.refresh(first.refresh_token), {code: 'invalid_token'});
	await t.throwsAsync(sessions.refresh(second.refresh_token), {code: 'invalid_token'});
	await t.notThrowsAsync(sessions.refresh(elsewhere.refresh_token));
});

test('[ACC-023] an access token holds for 15 minutes', async (t) => {
	const {authentication, clock, first} = await open();
	const authorization = `Bearer ${first.access_token}`;
	await clock.advance(15 * 60_000 - 1);
	await t.notThrowsAsync(authentication.authenticate({authorization}));
	await clock.advance(1);
	await t.throwsAsync(authentication.authenticate({authorization}), {code: 'token_expired'});
});

test('[ACC-024] a refresh token holds for 7 days, and each exchange begins them anew', async (t) => {
	const {sessions, clock, first} = await open();
	await clock.advance(week - 1);
	const second = await sessions.refresh(first.refresh_token);
	await clock.advance(week);
	await t.throwsAsync(sessions.refresh(second.refresh_token), {code: 'invalid_token'});
});

test('keys that rotate between two tabs log nobody out', async (t) => {
	const {ports} = createTestPorts();
	const [older, newer] = [generateKey('older'), generateKey('newer')];
	const coreWith = (keys: readonly ReturnType<typeof generateKey>[]) =>
		createCore({...ports, secrets: createSecrets({keys}), accessTokens: createAccessTokens({keys, issuer: 'us'})});
	const before = coreWith([older]).accounts;
	const after = coreWith([newer, older]).accounts;
	const first = await before.registration.register({email, password});
	const second = await before.sessions.refresh(first.refresh_token);
	const again = await after.sessions.refresh(first.refresh_token);
	t.is(again.refresh_token, second.refresh_token);
	await t.notThrowsAsync(after.authentication.authenticate({authorization: `Bearer ${second.access_token}`}));
	await t.notThrowsAsync(after.sessions.refresh(again.refresh_token));
});

test('no refresh token is stored in clear', async (t) => {
	const {ports, sessions, first} = await open();
	const second = await sessions.refresh(first.refresh_token);
	const stored = JSON.stringify(await ports.sessions.active(first.user.id));
	t.false(stored.includes(first.refresh_token) || stored.includes(second.refresh_token));
});

test('[ACC-036] logout ends the family; an unknown token is no error', async (t) => {
	const {sessions, first} = await open();
	const second = await sessions.refresh(first.refresh_token);
	await sessions.logout(second.refresh_token);
	await t.throwsAsync(sessions.refresh(second.refresh_token), {code: 'invalid_token'});
	await t.throwsAsync(sessions.refresh(first.refresh_token), {code: 'invalid_token'});
	await t.notThrowsAsync(sessions.logout('unknown'));
	await t.throwsAsync(sessions.refresh('unknown'), {code: 'invalid_token'});
});

test('a disabled user refreshes no more, also once enabled again', async (t) => {
	const {sessions, users, authentication, first} = await open();
	await users.operator.setDisabled(email, true);
	await t.throwsAsync(sessions.refresh(first.refresh_token), {code: 'invalid_token'});
	const authorization = `Bearer ${first.access_token}`;
	await t.throwsAsync(authentication.authenticate({authorization}), {code: 'invalid_token'});
	await users.operator.setDisabled(email, false);
	await t.throwsAsync(sessions.refresh(first.refresh_token), {code: 'invalid_token'});
	await t.notThrowsAsync(sessions.login({email, password}));
});
