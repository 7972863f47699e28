import {RpcError} from '@signalbox/rpc';
import test, {type ExecutionContext} from 'ava';
import {specOf, startAgent} from './scripted-server.ts';

const begun = async (t: ExecutionContext, needs: Parameters<typeof startAgent>[1] = {}) => {
	const world = await startAgent(t, needs);
	await world.begin();
	return world;
};

test('an agent registers with what its host is, and keeps the id it is given', async (t) => {
	const {server, ids} = await begun(t);
	t.like(server.told.register[0], {
		agent_id: '',
		name: 'builder',
		os: 'linux',
		boot_id: 'b1',
		capacity: 2,
		running: [],
	});
	t.deepEqual(ids, ['', 'agent-1']);
});

test('an agent that comes back shows the id that it has', async (t) => {
	const world = await startAgent(t);
	world.ids.push('agent-1');
	await world.begin();
	t.is(world.server.told.register[0]?.agent_id, 'agent-1');
	t.deepEqual(world.ids, ['', 'agent-1']);
});

test('a command runs once the server let it start, and its end is reported', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	const asked = Promise.withResolvers<{proceed: boolean; reason: string}>();
	server.answers.start = () => asked.promise;
	await offer(specOf('e1'));
	t.like(server.told.start, [{execution_id: 'e1', lease_token: 'lease-e1', started_at_ms: Date.parse(clock.now())}]);
	t.is(host.commands.size, 0);
	asked.resolve({proceed: true, reason: ''});
	await clock.advance(0);
	host.command('e1').end({exit_code: 3, duration_ms: 12, truncated: true});
	await clock.advance(0);
	t.like(server.told.finish, [
		{execution_id: 'e1', lease_token: 'lease-e1', outcome: 'EXITED', exit_code: 3, duration_ms: 12, truncated: true},
	]);
	t.deepEqual(host.forgotten, ['e1']);
});

test('a command that the server does not let start never runs, and is not reported', async (t) => {
	const {server, host, offer} = await begun(t);
	for (const [id, answer] of [
		['e1', async () => ({proceed: false, reason: 'canceled'})],
		['e2', () => Promise.reject(new RpcError('missing', 'gone'))],
	] as const) {
		server.answers.start = answer;
		await offer(specOf(id));
	}
	t.deepEqual(host.withdrawn, ['e1', 'e2']);
	t.is(host.commands.size, 0);
	t.deepEqual(server.told.finish, []);
});

test('a start that got no answer is asked for again, and the command does not run before', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	server.answers.start = () => Promise.reject(new RpcError('timed_out', 'late'));
	await offer(specOf('e1'));
	t.is(host.commands.size, 0);
	delete server.answers.start;
	await clock.advance(1000);
	t.is(host.commands.size, 1);
	t.deepEqual(server.told.start[1], server.told.start[0]);
});

test('an execution that is offered again while the agent has it is not taken twice', async (t) => {
	const {server, offer} = await begun(t);
	await offer(specOf('e1'), specOf('e1', {lease_token: 'another'}));
	t.is(server.told.start.length, 1);
});

test('no more is asked for than the agent can run', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'));
	await offer(specOf('e2'));
	await offer(specOf('e3'));
	t.deepEqual(
		server.told.lease.map(({max}) => max),
		[2, 1],
	);
	t.deepEqual([...host.commands.keys()], ['e1', 'e2']);
	host.command('e1').end();
	await clock.advance(0);
	t.deepEqual([...host.commands.keys()], ['e1', 'e2', 'e3']);
});

test('a server that answers polls at once is asked once a second', async (t) => {
	const world = await startAgent(t);
	world.server.answers.lease = async () => ({executions: []});
	await world.begin();
	await world.clock.advance(10_000);
	t.is(world.server.told.lease.length, 11);
});

test('[AGT-010 AGT-015] an agent says every 10 seconds that it lives, and what it runs', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'));
	host.command('e1').print('12345');
	await clock.advance(9999);
	t.is(server.told.heartbeat.length, 0);
	await clock.advance(1);
	t.deepEqual(server.told.heartbeat, [
		{
			agent_id: 'agent-1',
			session_id: 'session-1',
			running: [{execution_id: 'e1', lease_token: 'lease-e1', output_offset: 5}],
			draining: false,
		},
	]);
	host.command('e1').end();
	await clock.advance(20_000);
	t.deepEqual(
		server.told.heartbeat.map(({running}) => running.length),
		[1, 0, 0],
	);
});

test('an agent follows the times and sizes that the server sends', async (t) => {
	const world = await startAgent(t);
	const {server, host, clock} = world;
	server.answers.register = async (request) => ({
		...(await server.usual.register(request)),
		heartbeat_interval_ms: 3000,
		chunk_max_bytes: 4,
	});
	const sizes: number[] = [];
	server.answers.appendOutput = (chunks, options) =>
		server.usual.appendOutput(
			(async function* () {
				for await (const chunk of chunks) {
					sizes.push(chunk.data.length);
					yield chunk;
				}
			})(),
			options,
		);
	await world.begin();
	await world.offer(specOf('e1'));
	host.command('e1').print('1234567890');
	await clock.advance(6000);
	t.is(server.told.heartbeat.length, 2);
	t.deepEqual(sizes, [4, 4, 2]);
});

test('[AGT-016] what the heartbeat says is canceled is ended and reported, what is lost is ended only', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'), specOf('e2'));
	const cancel = [{execution_id: 'e1', reason: 'person', grace_ms: 700}];
	server.answers.heartbeat = async () => ({server_time_ms: 0, cancel, lost: ['e2', 'unknown']});
	await clock.advance(10_000);
	t.deepEqual(host.command('e1').cancels, [700]);
	t.is(host.command('e2').cancels.length, 1);
	t.like(server.told.finish, [{execution_id: 'e1', outcome: 'CANCELED'}]);
	t.is(server.told.finish.length, 1);
	t.deepEqual([...host.forgotten].sort(), ['e1', 'e2']);
});

test('a hint to cancel ends a command before the next heartbeat, a hint of work ends the wait for it', async (t) => {
	const world = await startAgent(t);
	const {server, host, clock} = world;
	const [work, hint] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	server.answers.lease = async () => ({executions: []});
	server.answers.watch = async function* () {
		await work.promise;
		yield {$case: 'wake', value: {}};
		await hint.promise;
		yield {$case: 'cancel', value: {execution_id: 'e1', reason: '', grace_ms: 0}};
	};
	await world.begin();
	t.is(server.told.lease.length, 1);
	work.resolve();
	await clock.advance(0);
	t.is(server.told.lease.length, 2);
	delete server.answers.lease;
	await clock.advance(1000);
	await world.offer(specOf('e1'));
	hint.resolve();
	await clock.advance(0);
	t.deepEqual(host.command('e1').cancels, [undefined]);
});

test('[AGT-040] without hints all work is still picked up', async (t) => {
	const world = await startAgent(t, {capacity: 20});
	const {server, host} = world;
	server.answers.watch = () => {
		throw new RpcError('unsupported', 'no hints');
	};
	await world.begin();
	for (let number = 0; number < 20; number += 1) await world.offer(specOf(`e${number}`));
	t.is(host.commands.size, 20);
});

test('output comes in the order in which it was printed, and all of it before the end', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'));
	const {print, end} = host.command('e1');
	print('one ');
	await clock.advance(0);
	print('two ');
	print('!', 'stderr');
	print('three');
	server.answers.finish = async () => {
		t.is(server.printed(), 'one two three');
		return {accepted: true};
	};
	end();
	await clock.advance(0);
	t.is(server.told.finish.length, 1);
	t.is(server.printed('STDERR'), '!');
});

test('many small pieces go as one, as large as a chunk may be, and each byte once', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	const sizes: number[] = [];
	server.answers.appendOutput = (chunks, options) =>
		server.usual.appendOutput(
			(async function* () {
				for await (const chunk of chunks) {
					sizes.push(chunk.data.length);
					yield chunk;
				}
			})(),
			options,
		);
	await offer(specOf('e1'));
	const {print, end} = host.command('e1');
	const line = `${'x'.repeat(99)}\n`;
	for (let number = 0; number < 2000; number += 1) print(line);
	end();
	await clock.advance(1000);
	t.is(server.told.finish.length, 1);
	t.is(server.printed(), line.repeat(2000));
	t.true(sizes.length <= 5, `${sizes}`);
});

test('what a lost connection swallowed of the output is sent again, and nothing twice', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'));
	let calls = 0;
	server.answers.appendOutput = async (chunks, options) => {
		calls += 1;
		const taken = await server.usual.appendOutput(chunks, options);
		if (calls < 3) throw new RpcError('unavailable', 'the answer was lost');
		return taken;
	};
	host.command('e1').print('one ');
	await clock.advance(100);
	host.command('e1').print('two');
	host.command('e1').end();
	await clock.advance(5000);
	t.is(server.printed(), 'one two');
	t.is(server.told.finish.length, 1);
});

test('output that the server does not want, or cannot take, does not hold up the end', async (t) => {
	for (const appendOutput of [
		async () => ({accepted_offset: 0, stop: true}),
		() => Promise.reject(new RpcError('invalid', 'no')),
		() => Promise.reject(new RpcError('internal', 'broken')),
	]) {
		const {server, host, offer, clock} = await begun(t);
		server.answers.appendOutput = appendOutput;
		await offer(specOf('e1'));
		host.command('e1').print('one');
		host.command('e1').end();
		await clock.advance(60_000);
		t.is(server.told.finish.length, 1);
	}
});

test('a report is repeated, word by word, until the server has it', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'));
	let calls = 0;
	server.answers.finish = async () => {
		calls += 1;
		if (calls < 4) throw new RpcError('unavailable', 'away');
		return {accepted: true};
	};
	host.command('e1').end();
	await clock.advance(0);
	t.deepEqual(host.forgotten, []);
	await clock.advance(60_000);
	t.is(server.told.finish.length, 4);
	t.is(new Set(server.told.finish.map((report) => JSON.stringify(report))).size, 1);
	t.deepEqual(host.forgotten, ['e1']);
});

test('an agent that calls too often waits as long as it is told, and goes on', async (t) => {
	const limited = () => Promise.reject(new RpcError('limited', 'Too many requests.', {retryAfterSeconds: 20}));
	const world = await startAgent(t);
	const {server, host, clock, agent} = world;
	server.answers.register = limited;
	await world.begin();
	await clock.advance(20_000);
	t.is(server.told.register.length, 1);
	delete server.answers.register;
	await clock.advance(1000);
	t.is(server.told.register.length, 2);
	Object.assign(server.answers, {start: limited, heartbeat: limited, appendOutput: limited, finish: limited});
	await world.offer(specOf('e1'));
	await clock.advance(20_000);
	t.is(server.told.start.length, 1);
	delete server.answers.start;
	await clock.advance(1000);
	host.command('e1').print('one');
	host.command('e1').end();
	await clock.advance(20_000);
	for (const name of ['heartbeat', 'appendOutput', 'finish'] as const) delete server.answers[name];
	await clock.advance(60_000);
	t.is(server.printed(), 'one');
	t.is(server.told.finish.length, 1);
	t.false(agent.ended);
});

test('a report that the server refuses is not repeated', async (t) => {
	for (const finish of [
		async () => ({accepted: false}),
		() => Promise.reject(new RpcError('missing', 'there is no such execution')),
	]) {
		const {server, host, offer, clock} = await begun(t);
		server.answers.finish = finish;
		await offer(specOf('e1'));
		host.command('e1').end();
		await clock.advance(60_000);
		t.is(server.told.finish.length, 1);
		t.deepEqual(host.forgotten, ['e1']);
	}
});

test('what an agent that died has left is reported', async (t) => {
	const result = {
		outcome: 'AGENT_RESTARTED',
		duration_ms: 0,
		stdout_bytes: 0,
		stderr_bytes: 0,
		truncated: false,
	} as const;
	const {server, host} = await begun(t, {leftovers: [{execution_id: 'e1', attempt: 1, lease_token: 'old', result}]});
	t.like(server.told.finish, [{execution_id: 'e1', lease_token: 'old', outcome: 'AGENT_RESTARTED'}]);
	t.deepEqual(host.forgotten, ['e1']);
});

test('a server that restarts finds the agent again, and what runs goes on', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'));
	server.stop();
	host.command('e1').print('one');
	await clock.advance(45_000);
	t.is(host.command('e1').cancels.length, 0);
	server.startAgain();
	await clock.advance(20_000);
	t.is(server.printed(), 'one');
	t.deepEqual(
		server.told.heartbeat.at(-1)?.running.map(({execution_id}) => execution_id),
		['e1'],
	);
	await offer(specOf('e2'));
	t.is(host.commands.size, 2);
});

test('[AGT-014] what runs is ended once the server must have given it up: it may run elsewhere by then', async (t) => {
	const world = await startAgent(t);
	const {server, host, clock, log} = world;
	const times = {heartbeat_interval_ms: 1000, offline_ms: 3000, lost_ms: 12_000};
	server.answers.register = async (request) => ({...(await server.usual.register(request)), ...times});
	await world.begin();
	await world.offer(specOf('e1'));
	await clock.advance(5000);
	server.stop();
	await clock.advance(2999);
	t.false(log.some((line) => line.includes('offline')));
	await clock.advance(8001);
	t.is(log.filter((line) => line.includes('offline')).length, 1);
	t.is(host.command('e1').cancels.length, 0);
	await clock.advance(1000);
	t.is(host.command('e1').cancels.length, 1);
	server.startAgain();
	await clock.advance(20_000);
	t.deepEqual(server.told.finish, []);
	await world.offer(specOf('e2'));
	t.true(host.commands.has('e2'));
});

test('[AGT-014] a clock of the host that is set neither ends what runs, nor lets it run on', async (t) => {
	for (const step of [3_600_000, -3_600_000]) {
		const {server, host, offer, clock, log} = await begun(t);
		await offer(specOf('e1'));
		server.stop();
		clock.step(step);
		await clock.advance(29_999);
		t.false(log.some((line) => line.includes('offline')));
		await clock.advance(90_000);
		t.is(log.filter((line) => line.includes('offline')).length, 1);
		t.is(host.command('e1').cancels.length, 0);
		await clock.advance(10_000);
		t.is(host.command('e1').cancels.length, 1);
	}
});

test('an agent whose session is over registers anew with what it runs, and ends what it is told to', async (t) => {
	const {server, host, offer, clock} = await begun(t);
	await offer(specOf('e1'), specOf('e2'));
	server.answers.register = async (request) => ({
		...(await server.usual.register(request)),
		session_id: 'session-2',
		keep: ['e1'],
		kill: ['e2'],
	});
	server.answers.heartbeat = () => Promise.reject(new RpcError('conflict', 'register anew'));
	await clock.advance(10_000);
	delete server.answers.heartbeat;
	t.is(server.told.register[1]?.running.length, 2);
	t.is(host.command('e1').cancels.length, 0);
	t.is(host.command('e2').cancels.length, 1);
	await clock.advance(10_000);
	t.is(server.told.heartbeat.at(-1)?.session_id, 'session-2');
});

test('an agent waits for a server that is not there yet', async (t) => {
	const world = await startAgent(t);
	world.server.stop();
	await world.begin();
	await world.clock.advance(60_000);
	world.server.startAgain();
	await world.clock.advance(10_000);
	t.is(world.server.told.register.length, 1);
	t.is(world.log.filter((line) => line.startsWith('Not registered yet')).length, 1);
});

test('[AGT-017] a draining agent takes nothing new, goes on heartbeating, and leaves when all has ended', async (t) => {
	const {server, host, offer, clock, drain, agent} = await begun(t);
	await offer(specOf('e1'));
	drain.abort();
	await offer(specOf('e2'));
	await clock.advance(30_000);
	t.deepEqual(
		server.told.heartbeat.map(({draining}) => draining),
		[true, true, true, true],
	);
	t.deepEqual([...host.commands.keys()], ['e1']);
	t.false(agent.ended);
	host.command('e1').end();
	await clock.advance(0);
	t.like(server.told.finish, [{execution_id: 'e1', outcome: 'EXITED'}]);
	t.deepEqual(server.told.deregister, [{agent_id: 'agent-1', session_id: 'session-1'}]);
	t.deepEqual(agent, {ended: true, error: undefined});
});

test("what still runs when the time to drain is over is ended, and reported as the agent's doing", async (t) => {
	const {server, offer, clock, drain, agent} = await begun(t);
	await offer(specOf('e1'));
	drain.abort();
	await clock.advance(0);
	await clock.advance(59_999);
	t.deepEqual(server.told.finish, []);
	await clock.advance(1);
	t.like(server.told.finish, [{execution_id: 'e1', outcome: 'AGENT_RESTARTED'}]);
	t.true(agent.ended);
});

test('an agent that is told to hurry ends what runs at once', async (t) => {
	const {server, offer, clock, drain, interrupt, agent} = await begun(t);
	await offer(specOf('e1'));
	drain.abort();
	await clock.advance(1000);
	interrupt.abort();
	await clock.advance(0);
	t.like(server.told.finish, [{execution_id: 'e1', outcome: 'AGENT_RESTARTED'}]);
	t.true(agent.ended);
});

test('a server that asks for it drains the agent', async (t) => {
	const world = await startAgent(t);
	world.server.answers.watch = async function* () {
		yield {$case: 'drain', value: {reason: 'maintenance'}};
	};
	await world.begin();
	t.true(world.agent.ended);
});

test('reports that cannot reach the server do not keep an agent from ending: the journal has them', async (t) => {
	const {server, host, offer, clock, drain, agent} = await begun(t);
	await offer(specOf('e1'));
	server.stop();
	drain.abort();
	await clock.advance(0);
	await clock.advance(60_000);
	t.false(agent.ended);
	await clock.advance(20_000);
	t.true(agent.ended);
	t.deepEqual(host.forgotten, []);
});

test('an agent that is stopped before it could register ends', async (t) => {
	const world = await startAgent(t);
	world.server.stop();
	await world.begin();
	world.drain.abort();
	await world.clock.advance(0);
	t.deepEqual(world.agent, {ended: true, error: undefined});
});

test('an agent whose key is revoked ends what runs, and itself, and leaves the report to the next one', async (t) => {
	const {server, host, offer, clock, agent} = await begun(t);
	await offer(specOf('e1'));
	server.revokeKey();
	await clock.advance(10_000);
	t.is(host.command('e1').cancels.length, 1);
	t.is((agent.error as RpcError).kind, 'unauthenticated');
	t.deepEqual(server.told.finish, []);
	t.deepEqual(host.forgotten, []);
});
