import type {AgentRecord} from '../../cron/model/agent.ts';
import {buildAgent} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {
	addAgent,
	addJob,
	addOwner,
	addRun,
	addRunning,
	type CronContract,
	type CronWorld,
	leaseRun,
	leaseRuns,
	mostAgents,
	readRun,
} from './cron-world.ts';
import {awkwardTexts, idsOf, parallel, reasonOf, tally} from './world.ts';

const listed = async ({stores}: CronWorld, user_id: string) =>
	(await stores.agents.list(user_id)).map(({agent}) => agent);

const defaultsOf = async (world: CronWorld, user_id: string) =>
	idsOf((await listed(world, user_id)).filter(({is_default}) => is_default));

const beatOf = ({user_id, id, session_id}: AgentRecord) => ({
	...{user_id, agent_id: id, session_id: session_id ?? '', is_draining: false, running: [], lease_seconds: 60},
});

export const registeringAgents: CronContract = {
	subject: 'agents',
	cases: {
		'an agent is read as it registered, last seen by the clock of the store': async (t, {stores, ...world}) => {
			const owner = await world.addTenant();
			const agent = buildAgent({user_id: owner.user_id, capacity: 3});
			await world.advance(600);
			const before = world.now();
			const state = await stores.agents.register(agent, mostAgents);
			const {last_seen_at} = state.agent;
			t.is(last_seen_at >= before && last_seen_at <= world.now(), true);
			t.deepEqual(state.agent, {...agent, is_default: true, last_seen_at});
			t.is(state.running, 0);
			t.deepEqual((await stores.agents.get(owner.user_id, agent.id))?.agent, state.agent);
		},
		'how long it has been silent is told by the clock of the store': async (t, world) => {
			const {user_id, agent} = await addOwner(world);
			await world.advance(100);
			const silent = (await world.stores.agents.get(user_id, agent.id))?.seconds_silent ?? 0;
			t.is(silent >= 100 && silent < 160, true);
			await world.stores.agents.heartbeat(beatOf(agent));
			t.is(((await world.stores.agents.get(user_id, agent.id))?.seconds_silent ?? 100) < 60, true);
		},
		'lists hold the agents of the user, oldest first': async (t, world) => {
			const owner = await world.addTenant();
			await addAgent(world, await world.addTenant());
			const young = await addAgent(world, owner, {created_at: '2026-01-02T00:00:00.000Z'});
			const old = await addAgent(world, owner, {created_at: '2026-01-01T00:00:00.000Z'});
			t.deepEqual(idsOf(await listed(world, owner.user_id)), [old.id, young.id]);
		},
		'one that registers again keeps name, place and age, and is told apart by its session': async (t, world) => {
			const {user_id, agent} = await addOwner(world);
			await world.stores.agents.update(user_id, agent.id, {name: 'renamed'});
			const again = buildAgent({
				user_id,
				id: agent.id,
				hostname: 'new',
				capacity: 7,
				created_at: '2026-02-01T00:00:00.000Z',
			});
			const {agent: registered} = await world.stores.agents.register(again, mostAgents);
			const {last_seen_at} = registered;
			t.deepEqual(registered, {
				...again,
				name: 'renamed',
				is_default: true,
				created_at: agent.created_at,
				last_seen_at,
			});
			t.is((await listed(world, user_id)).length, 1);
			t.is(await world.stores.agents.heartbeat(beatOf(agent)), undefined);
			t.deepEqual(await world.stores.agents.heartbeat(beatOf(registered)), {canceled: [], lost: []});
		},
		'what its last session leased and did not start is free at once': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			await addRun(world, job);
			const hold = await leaseRun(world, agent);
			const {agent: again} = await world.stores.agents.register({...agent, session_id: buildId()}, mostAgents);
			t.is(await world.stores.executionLeases.start(user_id, hold), false);
			t.is((await leaseRuns(world, again, 5)).length, 1);
		},
		"nobody registers as another user's agent, reads it, changes it or ends it": async (t, {stores, ...world}) => {
			const {agent} = await addOwner({stores, ...world});
			const {user_id} = await world.addTenant();
			t.is(await reasonOf(stores.agents.register(buildAgent({user_id, id: agent.id}), mostAgents)), 'resource_exists');
			t.is(await stores.agents.get(user_id, agent.id), undefined);
			t.is(await stores.agents.update(user_id, agent.id, {name: 'mine', is_default: true}), undefined);
			t.is(await stores.agents.delete(user_id, agent.id), false);
			t.is(await stores.agents.heartbeat({...beatOf(agent), user_id}), undefined);
			await stores.agents.leave(user_id, agent.id, agent.session_id ?? '');
			t.deepEqual((await stores.agents.get(agent.user_id, agent.id))?.agent, agent);
		},
	},
};

export const limitsOfAgents: CronContract = {
	subject: 'agents',
	cases: {
		'the limit counts the agents of the user, also under parallel calls, and keeps no known one out': async (
			t,
			world,
		) => {
			const {user_id} = await world.addTenant();
			await addAgent(world, await world.addTenant());
			const reasons = await parallel(20, () => reasonOf(world.stores.agents.register(buildAgent({user_id}), 5)));
			t.deepEqual(tally(reasons), {resolved: 5, conflict: 15});
			const [known] = idsOf(await listed(world, user_id));
			t.is(await reasonOf(world.stores.agents.register(buildAgent({user_id, id: known}), 5)), 'resolved');
			await world.stores.agents.delete(user_id, known ?? '');
			t.is(await reasonOf(world.stores.agents.register(buildAgent({user_id}), 5)), 'resolved');
		},
	},
};

export const defaultAgents: CronContract = {
	subject: 'default agents',
	cases: {
		'the first one is the default, also of parallel ones': async (t, world) => {
			const {user_id} = await world.addTenant();
			const states = await parallel(10, () => world.stores.agents.register(buildAgent({user_id}), mostAgents));
			t.deepEqual(tally(states.map(({agent}) => agent.is_default)), {true: 1, false: 9});
			t.is((await defaultsOf(world, user_id)).length, 1);
		},
		'another one takes it from the one before, also in parallel': async (t, world) => {
			const {user_id} = await addOwner(world);
			const [a, b] = [await addAgent(world, {user_id}), await addAgent(world, {user_id})];
			const changed = await world.stores.agents.update(user_id, b.id, {is_default: true});
			t.deepEqual([changed?.agent.is_default, changed?.agent.name], [true, b.name]);
			t.deepEqual(await defaultsOf(world, user_id), [b.id]);
			await parallel(10, (index) => world.stores.agents.update(user_id, index % 2 ? a.id : b.id, {is_default: true}));
			t.is((await defaultsOf(world, user_id)).length, 1);
		},
		'a name changes and nothing else does': async (t, world) => {
			const {user_id, agent} = await addOwner(world);
			t.deepEqual((await world.stores.agents.update(user_id, agent.id, {name: 'new'}))?.agent, {...agent, name: 'new'});
			t.is(await world.stores.agents.update(user_id, buildId(), {name: 'new'}), undefined);
		},
		'a deleted one leaves its jobs and pending runs to the default one': async (t, world) => {
			const {user_id, team_id, agent} = await addOwner(world);
			const second = await addAgent(world, {user_id});
			const job = await addJob(world, {user_id, team_id}, {agent_id: second.id});
			const {id} = await addRun(world, job);
			await leaseRun(world, second);
			t.is(await world.stores.agents.delete(user_id, second.id), true);
			t.is(await world.stores.agents.delete(user_id, second.id), false);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.agent_id, null);
			t.is((await readRun(world, {user_id}, id)).agent_id, null);
			t.deepEqual(
				(await leaseRuns(world, agent, 5)).map(({execution}) => execution.id),
				[id],
			);
		},
		'when the default one is deleted the oldest of the others becomes it': async (t, world) => {
			const {user_id, agent} = await addOwner(world);
			const young = await addAgent(world, {user_id}, {created_at: '2026-03-02T00:00:00.000Z'});
			const old = await addAgent(world, {user_id}, {created_at: '2026-03-01T00:00:00.000Z'});
			const other = await addAgent(world, {user_id}, {created_at: '2026-03-03T00:00:00.000Z'});
			await world.stores.agents.update(user_id, other.id, {is_default: true});
			await world.stores.agents.delete(user_id, agent.id);
			t.deepEqual(await defaultsOf(world, user_id), [other.id], 'that of another one changes nothing');
			await world.stores.agents.delete(user_id, other.id);
			t.deepEqual(await defaultsOf(world, user_id), [old.id]);
			await world.stores.agents.delete(user_id, young.id);
			await world.stores.agents.delete(user_id, old.id);
			t.deepEqual(await defaultsOf(world, user_id), []);
			const {id} = await addAgent(world, {user_id});
			t.deepEqual(await defaultsOf(world, user_id), [id]);
		},
		'what a deleted one runs is lost in time': async (t, world) => {
			const owner = await addRunning(world);
			await world.stores.agents.delete(owner.user_id, owner.agent.id);
			t.is((await readRun(world, owner, owner.id)).status, 'running');
			await world.advance(300);
			const [overdue] = await world.stores.executionLeases.overdue(120, 5);
			t.deepEqual([overdue?.execution.id, overdue?.cause], [owner.id, 'agent_lost']);
		},
	},
};

export const heartbeats: CronContract = {
	subject: 'heartbeats',
	cases: {
		'of what they name they answer what was canceled, and what is lost': async (t, world) => {
			const owner = await addRunning(world);
			const {user_id, agent, job} = owner;
			await addRun(world, job);
			const canceled = await leaseRun(world, agent);
			await world.stores.executions.cancel(user_id, canceled.execution_id);
			const unknown = {execution_id: buildId(), lease_token: 'x'};
			const running = [owner.hold, canceled, unknown];
			t.deepEqual(await world.stores.agents.heartbeat({...beatOf(agent), running}), {
				canceled: [canceled.execution_id],
				lost: [unknown.execution_id],
			});
			const guessed = [{...owner.hold, lease_token: 'guessed'}];
			t.deepEqual((await world.stores.agents.heartbeat({...beatOf(agent), running: guessed}))?.lost, [owner.id]);
			await world.stores.cronJobs.delete(user_id, job.id);
			t.deepEqual((await world.stores.agents.heartbeat({...beatOf(agent), running: [owner.hold]}))?.lost, [owner.id]);
		},
		"one agent's heartbeat does not renew what another holds": async (t, world) => {
			const owner = await addRunning(world);
			const second = await addAgent(world, owner);
			const {lost} = (await world.stores.agents.heartbeat({...beatOf(second), running: [owner.hold]})) ?? {lost: []};
			t.deepEqual(lost, [owner.id]);
		},
		'they say whether it drains': async (t, world) => {
			const {user_id, agent} = await addOwner(world);
			await world.stores.agents.heartbeat({...beatOf(agent), is_draining: true});
			t.is((await world.stores.agents.get(user_id, agent.id))?.agent.is_draining, true);
			await world.stores.agents.heartbeat(beatOf(agent));
			t.is((await world.stores.agents.get(user_id, agent.id))?.agent.is_draining, false);
		},
		'one that leaves has no session, and what it did not start is free at once': async (t, world) => {
			const {user_id, agent, job} = await addOwner(world);
			await addRun(world, job);
			const hold = await leaseRun(world, agent);
			await world.stores.agents.leave(user_id, agent.id, 'another session');
			t.is((await world.stores.agents.get(user_id, agent.id))?.agent.session_id, agent.session_id);
			await world.stores.agents.leave(user_id, agent.id, agent.session_id ?? '');
			t.is((await world.stores.agents.get(user_id, agent.id))?.agent.session_id, null);
			t.is(await world.stores.agents.heartbeat(beatOf(agent)), undefined);
			t.is(await world.stores.executionLeases.start(user_id, hold), false);
			const {agent: again} = await world.stores.agents.register(agent, mostAgents);
			t.is((await leaseRuns(world, again, 5)).length, 1);
		},
	},
};

export const textOfAgents: CronContract = {
	subject: 'text of agents',
	needs: 'exact_text',
	cases: {
		'names are kept to the last character': async (t, world) => {
			const owner = await world.addTenant();
			for (const text of awkwardTexts) {
				const agent = await addAgent(world, owner, {name: text, hostname: text});
				const read = (await world.stores.agents.get(owner.user_id, agent.id))?.agent;
				t.deepEqual([read?.name, read?.hostname], [text, text]);
			}
		},
	},
};
