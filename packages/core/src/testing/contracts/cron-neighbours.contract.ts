import type {AgentRecord} from '../../cron/model/agent.ts';
import {buildEnding} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {
	addAgent,
	addJob,
	addOwner,
	addRun,
	type CronContract,
	type CronWorld,
	holdOf,
	leaseRun,
	leaseRuns,
	mostAgents,
	readRun,
	startRun,
} from './cron-world.ts';
import {idsOf} from './world.ts';

const minute = 60;

const defaultsOf = async ({stores}: CronWorld, user_id: string): Promise<readonly string[]> =>
	idsOf((await stores.agents.list(user_id)).map(({agent}) => agent).filter(({is_default}) => is_default));

/** A run that only this agent gets. */
const addRunFor = async (world: CronWorld, {id: agent_id, user_id}: AgentRecord, team_id: string) =>
	addRun(world, await addJob(world, {user_id, team_id}, {agent_id}));

/** A tenant with two agents. */
const addPair = async (world: CronWorld) => {
	const {user_id, team_id, agent: one} = await addOwner(world);
	return {user_id, team_id, one, other: await addAgent(world, {user_id})};
};

const beatOf = ({user_id, id, session_id}: AgentRecord) => ({
	...{user_id, agent_id: id, session_id: session_id ?? '', is_draining: false, running: [], lease_seconds: 60},
});

export const besideAgents: CronContract = {
	subject: 'agents beside others',
	cases: {
		'what a user makes the default, or deletes, changes no default agent of another user': async (t, world) => {
			const long_ago = {created_at: '2020-01-01T00:00:00.000Z'};
			const neighbour = await world.addTenant();
			const theirs = await addAgent(world, neighbour, long_ago);
			const {user_id, one, other} = await addPair(world);
			const {agents} = world.stores;
			for (const id of [theirs.id, buildId()]) t.is(await agents.update(user_id, id, {is_default: true}), undefined);
			t.deepEqual(await defaultsOf(world, user_id), [one.id]);
			await agents.update(user_id, other.id, {is_default: true});
			await agents.delete(user_id, other.id);
			t.deepEqual(await defaultsOf(world, user_id), [one.id]);
			t.deepEqual(await defaultsOf(world, neighbour.user_id), [theirs.id]);
		},
		'each counts what it runs itself, and not what it only leased or another one runs': async (t, world) => {
			const {user_id, team_id, one, other} = await addPair(world);
			for (const agent of [one, one, other]) await addRunFor(world, agent, team_id);
			await startRun(world, one);
			await startRun(world, one);
			await leaseRun(world, other);
			const running = async ({id}: AgentRecord) => (await world.stores.agents.get(user_id, id))?.running;
			t.deepEqual([await running(one), await running(other)], [2, 0]);
		},
		'one that registers again or leaves frees what it leased itself, and what it runs goes on': async (t, world) => {
			const {user_id, team_id, one, other} = await addPair(world);
			const {agents, executionLeases} = world.stores;
			for (const agent of [one, other]) await addRunFor(world, agent, team_id);
			const [running, leased] = [await startRun(world, one), await leaseRun(world, other)];
			const {agent: again} = await agents.register({...one, session_id: buildId()}, mostAgents);
			await agents.leave(user_id, again.id, again.session_id ?? '');
			t.is(await executionLeases.start(user_id, leased), true);
			t.is(await executionLeases.finish(user_id, running, buildEnding()), true);
		},
		'a deleted one leaves the jobs, runs and leases of others to them, and what it ran to be read as it was': async (
			t,
			world,
		) => {
			const {user_id, team_id, one, other} = await addPair(world);
			const [ended, leased] = [await addRunFor(world, one, team_id), await addRunFor(world, other, team_id)];
			await world.stores.executionLeases.finish(user_id, await startRun(world, one), buildEnding());
			const hold = await leaseRun(world, other);
			t.is(await world.stores.agents.delete(user_id, one.id), true);
			t.is((await readRun(world, {user_id}, ended.id)).agent_id, one.id);
			t.is((await readRun(world, {user_id}, leased.id)).agent_id, other.id);
			t.is((await world.stores.cronJobs.get(user_id, leased.job_id))?.agent_id, other.id);
			t.is(await world.stores.executionLeases.start(user_id, hold), true);
		},
		'a heartbeat renews what it names and nothing else': async (t, world) => {
			const {user_id, team_id, one} = await addPair(world);
			for (let made = 0; made < 4; made += 1) await addRunFor(world, one, team_id);
			const [named, unnamed, running, silent] = (await leaseRuns(world, one, 4)).map(holdOf);
			if (!named || !unnamed || !running || !silent) throw new Error('four were not leased');
			const {agents, executionLeases} = world.stores;
			for (const hold of [running, silent]) await executionLeases.start(user_id, hold);
			await world.advance(minute / 2);
			await agents.heartbeat({...beatOf(one), running: [named, running], lease_seconds: 10 * minute});
			await world.advance(minute);
			const [again] = await leaseRuns(world, one, 4);
			t.is(again?.execution.id, unnamed.execution_id);
			const overdue = await executionLeases.overdue(1.25 * minute, 10);
			t.deepEqual(idsOf(overdue.map(({execution}) => execution)), [silent.execution_id]);
		},
	},
};
