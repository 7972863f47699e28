import {plusSeconds} from '../../values/instant.ts';
import {buildChain, buildChainFiring, buildChainStep} from '../builders/chains.ts';
import {buildEnding} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {buildEndpoint} from '../builders/webhook.ts';
import {addChain, addChainOwner, addRunningChain, end, startChain} from './chain-world.ts';
import type {CronContract, CronWorld} from './cron-world.ts';
import {readRun, startRun} from './cron-world.ts';
import {idsOf, parallel, reasonOf, tally} from './world.ts';

const page = {limit: 10, offset: 0};

/** A chain whose schedule is due now. */
const addScheduled = async (world: CronWorld) =>
	addChainOwner(world, {
		...{trigger_type: 'schedule', trigger_schedule: 'every minute', schedule_cron: '* * * * *'},
		next_run_at: world.now(),
	});

const executionsOf = async ({stores}: CronWorld, {user_id, id}: Readonly<{user_id: string; id: string}>) =>
	(await stores.chainExecutions.list(user_id, id, page))?.data ?? [];

export const chains: CronContract = {
	subject: 'chains',
	cases: {
		'a chain is read as it was written, by its user alone': async (t, world) => {
			const owner = await world.addTenant();
			const chain = buildChain({
				user_id: owner.user_id,
				...{name: 'Nightly 🌙', description: 'Back up,\nthen tell.', timezone: 'Europe/Berlin'},
				...{trigger_type: 'schedule', trigger_schedule: 'every day', schedule_cron: '0 0 * * *'},
				...{next_run_at: plusSeconds(world.now(), 60), trigger_endpoint_id: buildId(), is_enabled: false},
				steps: [buildChainStep(), buildChainStep({step_order: 1, condition_type: 'on_failure', timeout_seconds: 1})],
			});
			await world.stores.chains.create(chain);
			t.deepEqual(await world.stores.chains.get(owner.user_id, chain.id), chain);
			const other = await world.addTenant();
			t.is(await world.stores.chains.get(other.user_id, chain.id), undefined);
			t.is(await world.stores.chains.update(other.user_id, chain, 1), undefined);
			t.is(await world.stores.chains.delete(other.user_id, chain.id), undefined);
			t.deepEqual(await world.stores.chains.list(other.user_id), []);
		},
		'all chains of a user are listed, newest first': async (t, world) => {
			const owner = await addChainOwner(world, {created_at: plusSeconds(world.now(), -20)});
			const newer = await addChain(world, owner, {created_at: plusSeconds(world.now(), -10)});
			t.deepEqual(idsOf(await world.stores.chains.list(owner.user_id)), [newer.id, owner.chain.id]);
		},
		'a chain of nobody is refused': async (t, world) => {
			t.is(await reasonOf(world.stores.chains.create(buildChain({user_id: buildId()}))), 'resource_not_found');
		},
		'a change takes the place of everything, steps too, and is compared by version': async (t, world) => {
			const {chain, user_id} = await addChainOwner(world);
			const steps = [buildChainStep({condition_type: 'always'})];
			const wanted = {...chain, name: 'Weekly', description: 'Now and then', steps, is_enabled: false};
			t.deepEqual(await world.stores.chains.update(user_id, wanted, 1), {...wanted, version: 2});
			t.deepEqual(await world.stores.chains.get(user_id, chain.id), {...wanted, version: 2});
			t.is(await world.stores.chains.update(user_id, chain, 1), undefined);
			t.deepEqual(await world.stores.chains.get(user_id, chain.id), {...wanted, version: 2});
		},
		'of 50 parallel changes of one version one is made': async (t, world) => {
			const {chain, user_id} = await addChainOwner(world);
			const changed = await parallel(50, (index) =>
				world.stores.chains.update(user_id, {...chain, name: `Name ${index}`}, 1),
			);
			t.deepEqual(tally(changed.map((each) => each === undefined)), {false: 1, true: 49});
			t.is((await world.stores.chains.get(user_id, chain.id))?.version, 2);
		},
		'a deleted chain takes its executions along, and cancels what runs of them': async (t, world) => {
			const owner = await addRunningChain(world);
			const over = await startChain(world, owner.chain);
			await end(world, over, 'completed');
			const deleted = await world.stores.chains.delete(owner.user_id, owner.chain.id);
			t.deepEqual(idsOf(deleted?.executions ?? []), [owner.execution.id]);
			t.deepEqual(
				deleted?.runs.map(({id, status}) => [id, status]),
				[[owner.run.id, 'canceled']],
			);
			t.is((await readRun(world, owner, owner.run.id)).status, 'canceled');
			t.is(await world.stores.chainExecutions.get(owner.user_id, owner.execution.id), undefined);
			t.is(await world.stores.chainExecutions.list(owner.user_id, owner.chain.id, page), undefined);
			t.deepEqual((await world.stores.chainExecutions.due(10)).executions, []);
			t.is(await world.stores.chains.get(owner.user_id, owner.chain.id), undefined);
		},
		'a run that had ended stays as it ended when its chain is deleted': async (t, world) => {
			const owner = await addRunningChain(world);
			const hold = await startRun(world, owner.agent);
			await world.stores.executionLeases.finish(owner.user_id, hold, buildEnding());
			t.deepEqual((await world.stores.chains.delete(owner.user_id, owner.chain.id))?.runs, []);
			t.is((await readRun(world, owner, owner.run.id)).status, 'success');
		},
		'a deleted endpoint leaves its chains, linked to none': async (t, world) => {
			const owner = await addChainOwner(world);
			const endpoint = buildEndpoint({user_id: owner.user_id, team_id: owner.team_id});
			await world.stores.endpoints.create(endpoint, null);
			const linked = await addChain(world, owner, {trigger_type: 'webhook', trigger_endpoint_id: endpoint.id});
			t.is(await world.stores.endpoints.delete([owner.team_id], endpoint.id), true);
			const left = {...linked, trigger_endpoint_id: null, version: 2};
			t.deepEqual(await world.stores.chains.get(owner.user_id, linked.id), left);
			t.deepEqual(await world.stores.chains.get(owner.user_id, owner.chain.id), owner.chain);
		},
	},
};

export const chainTicks: CronContract = {
	subject: 'chain ticks',
	cases: {
		'chains of all users are due when their time has come, the longest due first': async (t, world) => {
			const owner = await addScheduled(world);
			const fields = {trigger_type: 'schedule', schedule_cron: '0 9 * * *', timezone: 'Asia/Tokyo'} as const;
			const first = await addChain(world, owner, {...fields, next_run_at: plusSeconds(world.now(), -60)});
			await addChain(world, owner, {...fields, next_run_at: plusSeconds(world.now(), 600)});
			await addChain(world, owner, {...fields, next_run_at: null});
			const before = world.now();
			const {now, chains: due} = await world.stores.chainTicks.due(10);
			t.is(now >= before && now <= world.now(), true);
			t.deepEqual(idsOf(due), [first.id, owner.chain.id]);
			const {id, user_id, schedule_cron, timezone, next_run_at} = first;
			t.deepEqual(due[0], {id, user_id, schedule_cron, timezone, next_run_at});
			t.deepEqual(idsOf((await world.stores.chainTicks.due(1)).chains), [first.id]);
		},
		'a tick moves the chain on and starts it': async (t, world) => {
			const {chain, user_id} = await addScheduled(world);
			const firing = buildChainFiring({chain, next_run_at: plusSeconds(world.now(), 3600)});
			t.is(await world.stores.chainTicks.fire(firing), 'fired');
			t.is((await world.stores.chains.get(user_id, chain.id))?.next_run_at, firing.next_run_at);
			const [started] = await executionsOf(world, chain);
			const {id, triggered_by, trigger_event_id, status} = started ?? {};
			t.deepEqual([id, triggered_by, trigger_event_id, status], [firing.execution_id, 'schedule', null, 'running']);
		},
		'of 100 parallel firings of a tick one starts the chain': async (t, world) => {
			const {chain} = await addScheduled(world);
			const fired = await parallel(100, () => world.stores.chainTicks.fire(buildChainFiring({chain})));
			t.deepEqual(tally(fired), {fired: 1, lost: 99});
			t.is((await executionsOf(world, chain)).length, 1);
		},
		'a tick that has been fired starts nothing again': async (t, world) => {
			const {chain} = await addScheduled(world);
			await world.stores.chainTicks.fire(buildChainFiring({chain, next_run_at: chain.next_run_at}));
			const [started] = await executionsOf(world, chain);
			if (started !== undefined) await end(world, started, 'completed');
			t.is(await world.stores.chainTicks.fire(buildChainFiring({chain})), 'lost');
			t.is((await executionsOf(world, chain)).length, 1);
		},
		'a tick is skipped while the chain runs, however that was started, and not once it is over': async (t, world) => {
			const {chain} = await addScheduled(world);
			const running = await startChain(world, chain);
			const next_run_at = plusSeconds(world.now(), 60);
			t.is(await world.stores.chainTicks.fire(buildChainFiring({chain, next_run_at})), 'skipped');
			await end(world, running, 'completed');
			t.is(await world.stores.chainTicks.fire(buildChainFiring({chain: {...chain, next_run_at}})), 'fired');
			t.is((await executionsOf(world, chain)).length, 2);
		},
		'another chain that runs holds no tick up': async (t, world) => {
			const owner = await addScheduled(world);
			await startChain(world, await addChain(world, owner));
			t.is(await world.stores.chainTicks.fire(buildChainFiring(owner)), 'fired');
		},
		'one that is too late, or whose chain has changed or gone, starts nothing': async (t, world) => {
			const owner = await addScheduled(world);
			const late = buildChainFiring({chain: owner.chain, execution_id: null, next_run_at: null});
			t.is(await world.stores.chainTicks.fire(late), 'too_late');
			t.is((await world.stores.chains.get(owner.user_id, owner.chain.id))?.next_run_at, null);
			t.is(await world.stores.chainTicks.fire(buildChainFiring(owner)), 'lost');
			const gone = await addScheduled(world);
			await world.stores.chains.delete(gone.user_id, gone.chain.id);
			t.is(await world.stores.chainTicks.fire(buildChainFiring(gone)), 'lost');
			t.deepEqual(await executionsOf(world, owner.chain), []);
		},
	},
};
