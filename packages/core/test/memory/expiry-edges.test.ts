import {createMemoryStores} from '@signalbox/core/memory';
import {
	addCaller,
	buildAccount,
	buildInvite,
	buildNewApproval,
	buildRefreshToken,
	buildServer,
	createManualClock,
} from '@signalbox/core/testing';
import test from 'ava';

// The contract leaves a minute around every edge, for stores whose time passes by itself. This one stands still.

const openStores = async () => {
	const clock = createManualClock();
	const stores = createMemoryStores({clock});
	return {clock, stores, caller: await addCaller(stores)};
};

const exchange = (token_digest: string) => ({
	token_digest,
	successor_id: `after-${token_digest}`,
	successor_digest: `after-${token_digest}`,
	lifetime_seconds: 100,
	grace_seconds: 10,
});

test('an approval may be decided in its last millisecond, and not at expires_at', async (t) => {
	const {clock, stores, caller} = await openStores();
	const {user_id, team_id, team_ids} = caller;
	const server = buildServer({user_id, team_id});
	await stores.mcpServers.create(server, null);
	const open = (id: string) => stores.approvals.open(buildNewApproval({server, id, ttl_seconds: 5}), 10);
	await Promise.all([open('in time'), open('late')]);
	const decision = {status: 'approved', decided_by: user_id, decision_note: null} as const;
	await clock.advance(4999);
	t.is((await stores.approvals.settle(team_ids, 'in time', decision))?.status, 'approved');
	t.deepEqual(await stores.approvals.expireDue(10), []);
	await clock.advance(1);
	t.is(await stores.approvals.settle(team_ids, 'late', decision), undefined);
	t.is((await stores.approvals.expireDue(10)).length, 1);
});

test('a refresh token is good up to its last millisecond, and its grace likewise', async (t) => {
	const {clock, stores, caller} = await openStores();
	const open = (token_digest: string) =>
		stores.sessions.open(buildRefreshToken({user_id: caller.user_id, token_digest, lifetime_seconds: 100}));
	await Promise.all([open('first'), open('second')]);
	await clock.advance(99_999);
	t.is((await stores.sessions.rotate(exchange('first'))).outcome, 'rotated');
	await clock.advance(1);
	t.is((await stores.sessions.rotate(exchange('second'))).outcome, 'refused');
	await open('third');
	await stores.sessions.rotate(exchange('third'));
	await clock.advance(9999);
	t.is((await stores.sessions.rotate(exchange('third'))).outcome, 'rotated');
	await clock.advance(1);
	t.is((await stores.sessions.rotate(exchange('third'))).outcome, 'reused');
});

test('an invite is good up to its last millisecond', async (t) => {
	const {clock, stores, caller} = await openStores();
	const invite = () => stores.invites.create(buildInvite({team_id: caller.team_id, created_by: caller.user_id}), 60);
	const [first, second] = [await invite(), await invite()];
	await clock.advance(59_999);
	await t.notThrowsAsync(stores.users.create({...buildAccount(), invite_digest: first.token_digest}));
	await clock.advance(1);
	await t.throwsAsync(stores.users.create({...buildAccount(), invite_digest: second.token_digest}), {
		message: /expired/,
	});
});

test('an idempotent answer is kept up to its last millisecond', async (t) => {
	const {clock, stores, caller} = await openStores();
	await stores.idempotency.begin(caller.user_id, 'key', 'request');
	await clock.advance(24 * 3_600_000 - 1);
	t.is((await stores.idempotency.begin(caller.user_id, 'key', 'request')).state, 'running');
	await clock.advance(1);
	t.is((await stores.idempotency.begin(caller.user_id, 'key', 'request')).state, 'fresh');
});
