import {addCaller, createManualClock, createTestCore, createTestPorts} from '@signalbox/core/testing';
import test from 'ava';

test('test ports keep time by one manual clock, stores included', async (t) => {
	const {ports, clock} = createTestPorts();
	await ports.idempotency.begin('user', 'key', 'request');
	await clock.advance(25 * 3_600_000);
	t.is(ports.clock.now(), clock.now());
	t.is(await ports.idempotency.purge(), 1);
});

test('test ports hash, sign and seal for real', async (t) => {
	const {ports} = createTestPorts();
	const hash = await ports.passwords.hash('correct horse');
	t.regex(hash, /^\$argon2id\$/);
	t.true(await ports.passwords.verify('correct horse', hash));
	const sealed = ports.cipher.seal('text', 'row');
	t.is(ports.cipher.open(sealed, 'row'), 'text');
	t.throws(() => ports.cipher.open(sealed, 'another row'));
});

test('overrides replace single ports', (t) => {
	const clock = createManualClock('2030-01-01T00:00:00.000Z');
	t.is(createTestPorts({clock}).ports.clock, clock);
});

test('a caller that was added is a signed-in user with a personal team', async (t) => {
	const {ports} = createTestPorts();
	const caller = await addCaller(ports, {plan: 'free'});
	t.is((await ports.users.byId(caller.user_id))?.plan, 'free');
	t.deepEqual(
		(await ports.teams.forUser(caller.user_id)).map((team) => [team.id, team.role]),
		[[caller.team_id, 'owner']],
	);
});

test('a test core is the domain over those ports', async (t) => {
	const {core, ports, clock} = createTestCore({settings: {registration: 'closed'}});
	t.is(core.settings.registration, 'closed');
	t.is(ports.clock.now(), clock.now());
});
