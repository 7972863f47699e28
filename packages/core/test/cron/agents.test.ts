import {addCaller, builtAt} from '@signalbox/core/testing';
import test from 'ava';
import {addAgent, addJob, startOne, startWorld} from './world.ts';

test('[AGT-001] an agent has all of its fields', async (t) => {
	const world = await startWorld();
	const {agent_id} = await addAgent(world);
	t.deepEqual(await world.cron.agents.get(world.caller, agent_id), {
		...{id: agent_id, name: 'build-1', hostname: 'build-1.example.com', os: 'linux', arch: 'x64', version: '1.0.0'},
		...{status: 'online', is_default: true, capacity: 10, running: 0, last_seen_at: builtAt, created_at: builtAt},
	});
});

test('[AGT-002 AGT-011] an agent is online, draining, and offline when unheard for 30 seconds or gone', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const {agentWork, agents} = world.cron;
	const status = async () => (await agents.get(world.caller, session.agent_id)).status;
	const beat = (is_draining: boolean) => agentWork.heartbeat(world.key, session, {is_draining, running: []});
	await world.clock.advance(29_000);
	t.is(await status(), 'online');
	await world.clock.advance(1000);
	t.is(await status(), 'offline');
	await beat(true);
	t.is(await status(), 'draining');
	await beat(false);
	t.is(await status(), 'online');
	await agentWork.deregister(world.key, session);
	t.is(await status(), 'offline');
});

test('[AGT-017] a draining agent takes no new work, and what it runs goes on', async (t) => {
	const world = await startWorld();
	const session = await addAgent(world);
	const job = await addJob(world);
	await world.cron.jobs.run(world.caller, job.id);
	const spec = await startOne(world, session);
	await world.cron.jobs.run(world.caller, job.id);
	const draining = {is_draining: true, running: [spec]};
	t.deepEqual(await world.cron.agentWork.heartbeat(world.key, session, draining), {canceled: [], lost: []});
	t.deepEqual(await world.cron.agentWork.lease(world.key, session, 5), []);
	t.is((await world.cron.agents.get(world.caller, session.agent_id)).running, 1);
});

test('[AGT-003 AGT-004] agents are listed and read by their user alone', async (t) => {
	const world = await startWorld();
	const other = await addCaller(world.ports);
	const {agent_id} = await addAgent(world);
	t.deepEqual(
		(await world.cron.agents.list(world.caller)).map(({id}) => id),
		[agent_id],
	);
	t.deepEqual(await world.cron.agents.list(other), []);
	await t.throwsAsync(world.cron.agents.get(other, agent_id), {message: /no such/});
	await t.throwsAsync(world.cron.agents.update(other, agent_id, {name: 'x'}), {message: /no such/});
	await t.throwsAsync(world.cron.agents.delete(other, agent_id), {message: /no such/});
});

test('[AGT-005 AGT-006] a change renames an agent, or makes it the one default', async (t) => {
	const world = await startWorld();
	const [first, second] = [await addAgent(world), await addAgent(world)];
	t.is((await world.cron.agents.update(world.caller, second.agent_id, {name: 'renamed'})).name, 'renamed');
	t.true((await world.cron.agents.update(world.caller, second.agent_id, {is_default: true})).is_default);
	const defaults = (await world.cron.agents.list(world.caller)).filter(({is_default}) => is_default);
	t.deepEqual(
		defaults.map(({id, name}) => [id, name]),
		[[second.agent_id, 'renamed']],
	);
	await t.throwsAsync(world.cron.agents.update(world.caller, first.agent_id, {name: ''}), {message: /^name/});
	const refused = world.cron.agents.update(world.caller, second.agent_id, {is_default: false});
	await t.throwsAsync(refused, {message: /make another agent the default/});
});

test('[AGT-007] a deleted agent is gone, and its jobs are the default one’s', async (t) => {
	const world = await startWorld();
	const [first, second] = [await addAgent(world), await addAgent(world)];
	const job = await addJob(world, {agent_id: second.agent_id});
	await world.cron.agents.delete(world.caller, second.agent_id);
	await t.throwsAsync(world.cron.agents.get(world.caller, second.agent_id), {message: /no such/});
	t.is((await world.cron.jobs.get(world.caller, job.id)).agent_id, first.agent_id);
});
