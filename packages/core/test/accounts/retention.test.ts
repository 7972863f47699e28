import {addCaller, buildCallEntry, buildServer, createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {keptSince} from '../../src/values/retention.ts';

const now = '2026-03-31T10:00:00.000Z';

test('what is kept reaches back as many days as the plan says', (t) => {
	const retention = {days_by_plan: new Map([['free', 7]]), otherwise: 30};
	t.is(keptSince(retention, 'free', now), '2026-03-24T10:00:00.000Z');
	t.is(keptSince(retention, 'unheard of', now), '2026-03-01T10:00:00.000Z');
	t.is(keptSince(retention, undefined, now), '2026-03-01T10:00:00.000Z');
	t.is(keptSince(retention, 'constructor', now), '2026-03-01T10:00:00.000Z');
});

const open = async (calls: number) => {
	const {core, ports, clock} = createTestCore({settings: {default_plan: 'free'}});
	const {user_id, team_id} = await addCaller(ports, {plan: 'free'});
	const server = buildServer({user_id, team_id});
	await ports.mcpServers.create(server, null);
	const created_at = clock.now();
	for (let count = 0; count < calls; count += 1) await ports.callLog.append(buildCallEntry({server, created_at}));
	return {clock, retention: core.accounts.retention, left: () => ports.calls.count(team_id, {})};
};

test('everything that is too old goes in one look, however much it is', async (t) => {
	const {clock, retention, left} = await open(1001);
	await clock.advance(7 * 24 * 3_600_000);
	t.is(await retention.purgeCalls(), 0);
	await clock.advance(1);
	t.is(await retention.purgeCalls(), 1001);
	t.is(await left(), 0);
});

test('a look ends between two batches when it is asked to', async (t) => {
	const {clock, retention, left} = await open(1001);
	await clock.advance(8 * 24 * 3_600_000);
	const ending = new AbortController();
	const looking = retention.purgeCalls(ending.signal);
	ending.abort();
	const purged = await looking;
	t.true(purged > 0 && purged < 1001);
	t.is(await left(), 1001 - purged);
});
