import {createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {callerByKey, password, registerCaller} from './registered.ts';

const email = 'ada@example.com';
const new_password = 'another horse';

const open = async () => {
	const {core} = createTestCore();
	const caller = await registerCaller({core}, email);
	return {core, ...core.accounts, caller};
};

test('[ACC-029] the new password signs in, the old one no more', async (t) => {
	const {users, sessions, caller} = await open();
	await users.changePassword(caller, {current_password: password, new_password});
	await t.notThrowsAsync(sessions.login({email, password: new_password}));
	await t.throwsAsync(sessions.login({email, password}), {code: 'invalid_credentials'});
});

test('[ACC-035] a new password revokes every refresh token of the user', async (t) => {
	const {users, sessions, caller} = await open();
	const tokens = [await sessions.login({email, password}), await sessions.login({email, password})];
	await users.changePassword(caller, {current_password: password, new_password});
	for (const {refresh_token} of tokens) {
		await t.throwsAsync(sessions.refresh(refresh_token), {code: 'invalid_token'});
	}
});

test('[ACC-034] a wrong current password is invalid input, not a lost session', async (t) => {
	const {users, caller} = await open();
	for (const current_password of ['wrong horse', 'x', '']) {
		const change = users.changePassword(caller, {current_password, new_password});
		await t.throwsAsync(change, {code: 'invalid_credentials', message: /current password/});
	}
});

test('[ACC-033] a new password has 8 characters at least', async (t) => {
	const {users, caller} = await open();
	const change = (text: string) => users.changePassword(caller, {current_password: password, new_password: text});
	const error = await t.throwsAsync(change('1234567'), {code: 'validation_error'});
	t.like(error, {details: [{path: 'new_password'}]});
	await t.notThrowsAsync(change('12345678'));
});

test('an API key changes no password', async (t) => {
	const {core, users, caller} = await open();
	const byKey = await callerByKey({core}, caller, ['api', 'approvals']);
	const change = users.changePassword(byKey, {current_password: password, new_password});
	await t.throwsAsync(change, {code: 'forbidden'});
});

test('a password change is on record, without the password', async (t) => {
	const {core, users, caller} = await open();
	await users.changePassword(caller, {current_password: password, new_password});
	const {data} = await core.live.audit.list(caller, {limit: 10, offset: 0});
	t.like(data, [{action: 'user.password_changed', user_id: caller.user_id, target_id: caller.user_id, data: {}}]);
});

test('me is the user of the caller', async (t) => {
	const {users, caller} = await open();
	t.like(await users.me(caller), {id: caller.user_id, email, active_team_id: caller.team_id});
});

test('operators list, reset, disable and change plans by address', async (t) => {
	const {core, users, sessions, caller} = await open();
	await users.operator.resetPassword('ADA@example.com', new_password);
	await t.notThrowsAsync(sessions.login({email, password: new_password}));
	await users.operator.setPlan(email, 'free');
	await users.operator.setDisabled(email, true);
	t.like(await users.operator.list(), [{id: caller.user_id, plan: 'free', disabled: true}]);
	t.false('password_hash' in ((await users.operator.list())[0] ?? {}));
	const {data} = await core.live.audit.list(caller, {limit: 10, offset: 0});
	t.like(data, [{action: 'user.password_changed', data: {by: 'operator'}}]);
});

test('operators are told of unknown addresses, plans and bad passwords', async (t) => {
	const {operator} = (await open()).users;
	await t.throwsAsync(operator.setDisabled('nobody@example.com', true), {code: 'resource_not_found'});
	await t.throwsAsync(operator.setPlan('nobody@example.com', 'free'), {code: 'resource_not_found'});
	await t.throwsAsync(operator.resetPassword('nobody@example.com', password), {code: 'resource_not_found'});
	await t.throwsAsync(operator.setPlan(email, 'golden'), {code: 'validation_error', message: /free, pro/});
	await t.throwsAsync(operator.resetPassword(email, 'short'), {code: 'validation_error'});
});
