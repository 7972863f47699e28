import {createMemoryStores} from '@signalbox/core/memory';
import {buildAccount, createManualClock, failingStores} from '@signalbox/core/testing';
import test from 'ava';

test('the named methods reject with the given error, all others work on the same stores', async (t) => {
	const stores = createMemoryStores({clock: createManualClock()});
	const broken = new Error('disk full');
	const failing = failingStores(stores, {users: {byId: broken}});
	const account = buildAccount();
	t.true(await failing.users.create(account));
	t.is(await t.throwsAsync(failing.users.byId(account.user.id)), broken);
	t.deepEqual(await failing.users.byEmail(account.user.email_key), account.user);
	t.deepEqual(await stores.users.byId(account.user.id), account.user);
	t.is(failing.teams, stores.teams);
});
