import {DomainError, type Passage} from '@signalbox/core';
import {createMemoryStores} from '@signalbox/core/memory';
import {createManualClock, createTestCore, failingStores, type TestCore} from '@signalbox/core/testing';
import test from 'ava';
import {callOf, held, startWorld, stateOf, type World} from './support.ts';

const minute = 60_000;

/** Two processes on one store. The clock of the first stands still unless it is moved: so it is dead, or hangs. */
const startProcesses = async (fields: Parameters<typeof startWorld>[0] = {}) => {
	const storeClock = createManualClock();
	const stores = createMemoryStores({clock: storeClock});
	const dying = await startWorld(fields, {ports: stores});
	// Keys are shared, as the store is; clocks and signals are each process's own.
	const {clock: _, signals: __, ...shared} = dying.ports;
	const {core, clock} = createTestCore({ports: shared});
	const living: World = {...dying, core, clock};
	return {stores, storeClock, dying, living, shared};
};

type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** A call that a person approved, and that is about to be sent by the first process. */
const letRun = async ({dying}: Processes): Promise<Extract<Passage, {outcome: 'pass'}>> => {
	const {approval, passage} = await held(dying, callOf(dying.server));
	await dying.core.mcp.approvals.approve(dying.caller, approval.id);
	const passed = await passage;
	if (passed.outcome !== 'pass') throw new Error(`the call was ${passed.outcome}`);
	return passed;
};

const logged = async ({stores, dying}: Processes) => {
	const {team_id, team_ids} = dying.caller;
	const {data} = await stores.calls.list(team_id, {}, {limit: 100, offset: 0, body_chars: 1000});
	return Promise.all(data.map(({id}) => stores.calls.get(team_ids, id)));
};

/** Looks each second, by the clock of that process, for so long that nobody who lives has not renewed. @returns how many calls were found. */
const recover = async ({core, clock}: Pick<TestCore, 'core' | 'clock'>, seconds = 17): Promise<number> => {
	let found = 0;
	for (let second = 0; second < seconds; second += 1) {
		found += await core.mcp.abandonedCalls.recover();
		await clock.advance(1000);
	}
	return found;
};

test('[PRX-102] a decision taken on one process releases the call that is held on another one within a second', async (t) => {
	const {dying: holding, living: deciding} = await startProcesses();
	const {approval, passage} = await held(holding, callOf(holding.server));
	await deciding.core.mcp.approvals.approve(deciding.caller, approval.id);
	await holding.clock.advance(1000);
	t.like(await stateOf(passage), {outcome: 'pass', approval_id: approval.id});
});

test('[PRX-101 PRX-111] a call whose process died before its answer was logged is logged as of unknown outcome, once', async (t) => {
	const processes = await startProcesses({default_cost_cents: 30});
	const {approval_id} = await letRun(processes);
	const {storeClock, living, shared, dying} = processes;
	const third = createTestCore({ports: shared});
	await storeClock.advance(10_000);
	t.is(await recover(living), 0);
	await storeClock.advance(minute);
	await Promise.all([living, third].map((each) => recover(each)));
	t.is(await recover(living), 0);
	const calls = await logged(processes);
	t.is(calls.length, 1);
	t.like(calls[0], {
		id: approval_id ?? '',
		approval_id,
		mcp_server_id: dying.server.id,
		tool_name: 'delete_user',
		method: 'tools/call',
		status: 'error',
		error_message: 'outcome unknown',
		response_body: '',
		cost_cents: 30,
	});
	t.deepEqual(JSON.parse(calls[0]?.request_body ?? ''), {
		jsonrpc: '2.0',
		method: 'tools/call',
		params: {name: 'delete_user', arguments: {id: 7}},
	});
});

test('[PRX-100] a call that a process died over is never sent again: an identical one needs an approval of its own', async (t) => {
	const processes = await startProcesses();
	const {approval_id} = await letRun(processes);
	const {storeClock, living} = processes;
	for (const after of [0, minute, 4 * minute]) {
		await storeClock.advance(after);
		await recover(living);
		const {approval, passage} = await held(living, callOf(living.server));
		t.not(approval.id, approval_id);
		t.is(await stateOf(passage), 'waiting');
	}
});

test('what waited in a process that died is detached, and an identical call takes its place', async (t) => {
	const {storeClock, living, dying} = await startProcesses();
	const {approval} = await held(dying, callOf(dying.server));
	await storeClock.advance(minute);
	t.is(await recover(living), 1);
	t.like(await living.core.mcp.approvals.get(dying.caller, approval.id), {status: 'pending', caller_waiting: false});
	const again = await held(living, callOf(living.server));
	t.is(again.approval.id, approval.id);
	await living.core.mcp.approvals.approve(living.caller, approval.id);
	t.like(await again.passage, {outcome: 'pass', approval_id: approval.id});
});

test('[PRX-100] what was approved after its process died runs by an identical call, once', async (t) => {
	const {storeClock, living, shared, dying} = await startProcesses();
	const {approval} = await held({...dying, core: createTestCore({ports: silent(shared)}).core}, callOf(dying.server));
	await living.core.mcp.approvals.approve(living.caller, approval.id);
	await storeClock.advance(minute);
	t.is(await recover(living), 1);
	const again = await held(living, callOf(living.server));
	t.like(await again.passage, {outcome: 'pass', approval_id: approval.id});
	const third = await held(living, callOf(living.server));
	t.not(third.approval.id, approval.id);
});

/** Stores as a process that hangs uses them: it never gets to see a decision. */
const silent = (shared: Processes['shared']) => ({
	...shared,
	approvals: {...shared.approvals, get: () => new Promise<never>(() => {})},
});

test('a call whose attendance ran out while the store was away is left to its process, which renews once the store is back', async (t) => {
	const processes = await startProcesses();
	const {storeClock, living, dying, stores} = processes;
	const {approval_id} = await letRun(processes);
	await storeClock.advance(20_000);
	t.is(await recover(living, 10), 0);
	await dying.clock.advance(5000);
	t.deepEqual(await stores.attendance.lapsed(10), []);
	t.is(await recover(living, 60), 0);
	t.deepEqual(await logged(processes), []);
	t.truthy(approval_id);
});

test('one whose attendance ran out again is waited for anew', async (t) => {
	const processes = await startProcesses();
	const {storeClock, living, dying} = processes;
	await letRun(processes);
	for (const found of [0, 1]) {
		await storeClock.advance(20_000);
		t.is(await recover(living, 10), 0);
		if (found === 0) await dying.clock.advance(5000);
		t.is(await recover(living, 10), found);
	}
});

test('a look that fails, or comes late, begins the wait anew: nobody could renew meanwhile', async (t) => {
	const processes = await startProcesses();
	const {storeClock, shared} = processes;
	await letRun(processes);
	await storeClock.advance(20_000);
	let isAway = false;
	const away = new DomainError('service_unavailable');
	const {attendance} = shared;
	const lapsed = (limit: number) => (isAway ? Promise.reject(away) : attendance.lapsed(limit));
	const living = createTestCore({ports: {...shared, attendance: {...attendance, lapsed}}});
	t.is(await recover(living, 14), 0);
	isAway = true;
	await t.throwsAsync(living.core.mcp.abandonedCalls.recover(), {is: away});
	isAway = false;
	t.is(await recover(living, 14), 0);
	await living.clock.advance(minute);
	t.is(await recover(living, 14), 0);
	t.is(await recover(living, 5), 1);
});

test('as long as its process lives a call is left alone, however long it waits or runs', async (t) => {
	const processes = await startProcesses({
		approval_config: {...(await startWorld()).server.approval_config, ttl_seconds: 3600},
	});
	const {storeClock, living, dying} = processes;
	const waiting = await held(dying, callOf(dying.server, {text: '{"id":8}'}));
	const {approval_id} = await letRun(processes);
	for (let passed = 0; passed < 30; passed += 1) {
		await storeClock.advance(minute / 12);
		await dying.clock.advance(minute / 12);
		await living.clock.advance(minute / 12);
		t.is(await living.core.mcp.abandonedCalls.recover(), 0);
	}
	t.is(await stateOf(waiting.passage), 'waiting');
	t.deepEqual(await logged(processes), []);
	t.truthy(approval_id);
});

test('a process that was suspended with its machine does not take its own calls for those of a dead one', async (t) => {
	const processes = await startProcesses();
	const {storeClock, dying, shared} = processes;
	const suspended = createTestCore({ports: failingStores(shared, {attendance: {renew: new Error('still asleep')}})});
	await letRun({...processes, dying: {...dying, ...suspended}});
	await storeClock.advance(60 * minute);
	t.is(await recover(suspended), 0);
	t.deepEqual(await logged(processes), []);
});

test('once a call is done its process attends to it no more', async (t) => {
	const processes = await startProcesses();
	const {storeClock, dying} = processes;
	const passed = await letRun(processes);
	passed.done();
	passed.done();
	await storeClock.advance(minute);
	t.is(await recover(dying), 1);
	t.like((await logged(processes))[0], {error_message: 'outcome unknown'});
});

test('a call that was refused after its approval was used up is not one of unknown outcome', async (t) => {
	const {storeClock, living, dying, stores} = await startProcesses();
	let asked = 0;
	const mayStillCall = async () => {
		asked += 1;
		return asked === 1;
	};
	const {approval, passage} = await held(dying, callOf(dying.server, {mayStillCall}));
	await dying.core.mcp.approvals.approve(dying.caller, approval.id);
	t.like(await passage, {outcome: 'revoked'});
	t.false(await stores.approvals.consume(approval.id));
	await storeClock.advance(minute);
	t.is(await recover(living), 0);
});

test('what a server keeps of no bodies it does not keep of a call of unknown outcome either', async (t) => {
	const processes = await startProcesses({log_bodies: {mode: 'none', paths: []}});
	await letRun(processes);
	await processes.storeClock.advance(minute);
	await recover(processes.living);
	t.like((await logged(processes))[0], {request_body: '', error_message: 'outcome unknown'});
});
