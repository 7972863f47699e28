import {type ApprovalStore, createCore, DomainError} from '@signalbox/core';
import {failingStores} from '@signalbox/core/testing';
import test from 'ava';
import {callOf, held, startWorld, stateOf} from './support.ts';

const everything = {get: true, detach: true, expireDue: true, consume: true};

/** A world whose store of approvals fails, in these methods and with this error, while it is away. */
const startBreakable = async (methods: Partial<typeof everything>, error: Error) => {
	const {caller, server, ...test} = await startWorld();
	const failures = Object.fromEntries(Object.keys(methods).map((method) => [method, error]));
	const broken = failingStores(test.ports, {approvals: failures}).approvals;
	let isAway = false;
	const approvals: ApprovalStore = new Proxy(test.ports.approvals, {
		get: (store, name: keyof ApprovalStore) => (isAway ? broken : store)[name],
	});
	const ports = {...test.ports, approvals};
	const setAway = (away: boolean) => {
		isAway = away;
	};
	return {...test, caller, server, ports, core: createCore(ports), setAway};
};

const unavailable = new DomainError('service_unavailable');

test('a held call outlives a store that is away for a while, and passes once it is approved', async (t) => {
	const world = await startBreakable({get: true}, unavailable);
	const {approval, passage} = await held(world, callOf(world.server));
	world.setAway(true);
	await world.clock.advance(5000);
	t.is(await stateOf(passage), 'waiting');
	world.setAway(false);
	t.true((await world.core.mcp.approvals.get(world.caller, approval.id)).caller_waiting);
	await world.core.mcp.approvals.approve(world.caller, approval.id);
	await world.clock.advance(1000);
	t.like(await stateOf(passage), {outcome: 'pass'});
});

test('a held call that is due while the store is away expires once the store is back', async (t) => {
	const world = await startBreakable(everything, unavailable);
	const {passage} = await held(world, callOf(world.server));
	await world.clock.advance(299_000);
	world.setAway(true);
	await world.clock.advance(5000);
	t.is(await stateOf(passage), 'waiting');
	world.setAway(false);
	await world.clock.advance(1000);
	t.like(await stateOf(passage), {outcome: 'expired'});
});

test('a client that leaves, and a round that ends, are let go also while the store is away', async (t) => {
	const world = await startBreakable(everything, unavailable);
	const gone = new AbortController();
	const left = await held(world, callOf(world.server, {signal: gone.signal}));
	const round = await held(world, {...callOf(world.server, {text: '{"id":8}'}), in_rounds: true});
	world.setAway(true);
	gone.abort();
	round.pause();
	t.like(await stateOf(left.passage), {outcome: 'detached'});
	const paused = await round.passage;
	if (paused.outcome !== 'paused') return t.fail(paused.outcome);
	world.setAway(false);
	const next = {...callOf(world.server, {text: '{"id":8}'}), in_rounds: true, request_state: paused.request_state};
	t.is((await held(world, next)).approval.id, round.approval.id);
});

test('a store that fails otherwise, or as the call is let through, ends the call', async (t) => {
	const failing = await startBreakable({get: true}, new Error('disk full'));
	const first = await held(failing, callOf(failing.server));
	failing.setAway(true);
	await Promise.all([t.throwsAsync(first.passage, {message: 'disk full'}), failing.clock.advance(1000)]);

	const away = await startBreakable({consume: true}, unavailable);
	const second = await held(away, callOf(away.server));
	await away.core.mcp.approvals.approve(away.caller, second.approval.id);
	away.setAway(true);
	await t.throwsAsync(second.passage, {is: unavailable});
});
