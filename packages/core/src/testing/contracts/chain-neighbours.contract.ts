import type {ChainRecord} from '../../cron/model/chain.ts';
import {plusSeconds} from '../../values/instant.ts';
import {buildChainFiring} from '../builders/chains.ts';
import {
	addChain,
	addChainOwner,
	addRunningChain,
	cancelEffect,
	end,
	readChainExecution,
	startChain,
	startStep,
} from './chain-world.ts';
import {addJob, type CronContract, type CronWorld, fireOne, readRun} from './cron-world.ts';
import {idsOf} from './world.ts';

const day = 24 * 3600;

const everyMinute = {trigger_type: 'schedule', trigger_schedule: 'every minute', schedule_cron: '* * * * *'} as const;

/** Two chains of one user whose schedules are due at the same moment. */
const addScheduledPair = async (world: CronWorld) => {
	const scheduled = {...everyMinute, next_run_at: world.now()};
	const owner = await addChainOwner(world, scheduled);
	return {...owner, other: await addChain(world, owner, {...scheduled, name: 'Other'})};
};

const executionsOf = async ({stores}: CronWorld, {user_id, id}: ChainRecord) =>
	(await stores.chainExecutions.list(user_id, id, {limit: 10, offset: 0}))?.data ?? [];

export const besideChains: CronContract = {
	subject: 'chains beside others',
	cases: {
		'chains that are due at the same moment are fired each by itself': async (t, world) => {
			const {chain, other, user_id} = await addScheduledPair(world);
			const {chainTicks, chains} = world.stores;
			t.is(await chainTicks.fire(buildChainFiring({chain})), 'fired');
			t.deepEqual(await chains.get(user_id, other.id), other);
			t.is(await chainTicks.fire(buildChainFiring({chain: other})), 'fired');
			for (const each of [chain, other]) {
				const started = (await executionsOf(world, each)).map(({chain_name}) => chain_name);
				t.deepEqual(started, [each.name]);
			}
		},
		'a tick of a chain whose schedule was changed meanwhile is lost, and the chain stays as it is': async (
			t,
			world,
		) => {
			const {chain, user_id} = await addScheduledPair(world);
			const changed = {...chain, next_run_at: plusSeconds(world.now(), 3600), version: 2};
			await world.stores.chains.update(user_id, changed, 1);
			t.is(await world.stores.chainTicks.fire(buildChainFiring({chain})), 'lost');
			t.deepEqual(await world.stores.chains.get(user_id, chain.id), changed);
			t.deepEqual(await executionsOf(world, chain), []);
		},
		'a canceled step ends its own attempts, and none of another step, nor of another execution': async (t, world) => {
			const owner = await addRunningChain(world);
			const beside = await startStep(world, await startChain(world, owner.chain), {order: 1});
			const second = await startStep(world, owner.execution, {order: 1});
			const next = {...second.execution, due_at: owner.execution.due_at};
			const advanced = await world.stores.chainExecutions.advance(next, [cancelEffect(next, 1)]);
			t.deepEqual(idsOf(advanced?.canceled ?? []), [second.run.id]);
			for (const {id} of [owner.run, beside.run]) t.is((await readRun(world, owner, id)).status, 'pending');
		},
		'a deleted chain ends nothing of another one, whose ticks stay fired, as those of jobs do': async (t, world) => {
			const {chain, other, ...owner} = await addScheduledPair(world);
			const job = await addJob(world, owner, {concurrency: 'allow'});
			await fireOne(world, job, {next_run_at: job.next_run_at});
			const {chains, chainTicks, chainExecutions} = world.stores;
			await chainTicks.fire(buildChainFiring({chain, next_run_at: chain.next_run_at}));
			const [kept] = await executionsOf(world, chain);
			if (kept === undefined) throw new Error('the chain was not started');
			const running = await startStep(world, kept);
			const gone = await startStep(world, await startChain(world, other));
			const deleted = await chains.delete(owner.user_id, other.id);
			t.deepEqual(idsOf(deleted?.executions ?? []), [gone.execution.id]);
			t.deepEqual(idsOf(deleted?.runs ?? []), [gone.run.id]);
			t.is((await readRun(world, owner, running.run.id)).status, 'pending');
			t.deepEqual(await readChainExecution(world, kept), running.execution);
			await chainExecutions.advance(running.execution, []);
			t.is(await chainTicks.fire(buildChainFiring({chain})), 'lost');
			t.is((await fireOne(world, job)).outcome, 'lost');
		},
		'ended executions go by the plan of their own user, whatever the plans of others are': async (t, world) => {
			const retention = {days_by_plan: new Map([['short', 7]]), otherwise: 30};
			const owners = [await addChainOwner(world), await addChainOwner(world)] as const;
			await world.stores.users.update(owners[0].user_id, {plan: 'short'}, world.now());
			for (const {chain} of owners) await end(world, await startChain(world, chain), 'completed');
			await world.advance(8 * day);
			t.is(await world.stores.chainExecutions.purge(retention, 10), 1);
			const left = await Promise.all(owners.map(({chain}) => executionsOf(world, chain)));
			t.deepEqual(
				left.map(({length}) => length),
				[0, 1],
			);
		},
	},
};
