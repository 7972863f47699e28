import type {ChainRecord} from '../../cron/model/chain.ts';
import type {ChainExecution, ChainExecutionRecord} from '../../cron/model/chain-execution.ts';
import {chainExecutionViewOf} from '../../cron/rules/chain-view.ts';
import type {CronStores, ExecutionHold, Stores} from '../../ports/index.ts';
import type {Caller} from '../../values/caller.ts';
import {addCaller} from '../builders/caller.ts';
import {buildChainStep} from '../builders/chains.ts';
import {buildEnding} from '../builders/cron.ts';
import {createTestCore, type TestCore} from '../test-core.ts';
import {addChain, startChain} from './chain-world.ts';
import type {Assertions, ContractTest, StoreHarness} from './contract.ts';
import {addAgent, addJob, type CronWorld, holdOf, leaseRuns, listRuns} from './cron-world.ts';
import {pickFrom} from './pick-from.ts';
import {createContractWorld, parallel, reasonOf, tally} from './world.ts';

const rounds = 50;
const startsPerRound = 4;
const cancelsPerRound = 20;
/** So much of the store is read, at most, until a cancel of a round comes in: about as much as the work of a round takes. */
const mostReadings = 25;

type Race = Readonly<{
	world: CronWorld;
	cron: TestCore['core']['cron'];
	caller: Caller;
	agent: Awaited<ReturnType<typeof addAgent>>;
	chain: ChainRecord;
	/** From 0 up to, not including, `below`; the same in every run. */
	pick(below: number): number;
	ids: string[];
	/** What the agent has, and has not asked to start. */
	leased: Set<ExecutionHold>;
	/** What the agent runs. */
	held: Set<ExecutionHold>;
	/** Each canceled execution as its cancel answered it. */
	canceled: Map<string, ChainExecution>;
	/** Runs of executions that are canceled. */
	over: Set<string>;
	/** Runs that were let start although their execution was canceled before. */
	late: string[];
	answers: string[];
}>;

const startRace = async (world: CronWorld): Promise<Race> => {
	const {core} = createTestCore({ports: world.stores});
	const caller = await addCaller(world.stores);
	const agent = await addAgent(world, caller, {capacity: 1000});
	const job = await addJob(world, caller, {next_run_at: null});
	const step = {cron_job_id: job.id, job_name: job.name};
	const conditions = ['on_success', 'on_failure', 'always'] as const;
	const steps = conditions.map((condition_type, step_order) => buildChainStep({...step, condition_type, step_order}));
	return {
		...{world, cron: core.cron, caller, agent, pick: pickFrom(7), ids: [], leased: new Set(), held: new Set()},
		...{canceled: new Map(), over: new Set(), late: [], answers: []},
		chain: await addChain(world, {user_id: caller.user_id, job}, {steps}),
	};
};

const cancelOne = async ({world, cron, caller, ...race}: Race, id: string, readings: number): Promise<void> => {
	for (let read = 0; read < readings; read += 1) await world.stores.cronTicks.now();
	const answer = await reasonOf(
		cron.chainExecutions.cancel(caller, id).then((execution) => {
			if (race.canceled.has(id)) race.late.push(`${id} was canceled twice`);
			race.canceled.set(id, execution);
			for (const {execution_id} of execution.steps) if (execution_id !== null) race.over.add(execution_id);
		}),
	);
	race.answers.push(answer);
};

const startLeased = async ({world, agent, leased, held, over, late}: Race, hold: ExecutionHold): Promise<void> => {
	leased.delete(hold);
	const wasOver = over.has(hold.execution_id);
	if (!(await world.stores.executionLeases.start(agent.user_id, hold))) return;
	if (wasOver) late.push(`${hold.execution_id} started`);
	held.add(hold);
};

const finishHeld = async ({world, agent, held, pick}: Race, hold: ExecutionHold): Promise<void> => {
	held.delete(hold);
	const ending = pick(3) === 0 ? {status: 'failed', exit_code: 3} : {status: 'success', exit_code: 0};
	const result = ending as Readonly<{status: 'failed' | 'success'; exit_code: number}>;
	await world.stores.executionLeases.finish(agent.user_id, hold, buildEnding({result}));
};

/** Takes what is due, and starts each, and ends each command that runs, with that likelihood, of 4. @returns how much it had. */
const work = async (race: Race, likelihood: number): Promise<number> => {
	const {world, agent, leased, held, pick} = race;
	for (const each of await leaseRuns(world, agent, 100)) leased.add(holdOf(each));
	const had = leased.size + held.size;
	for (const hold of leased) if (pick(4) < likelihood) await startLeased(race, hold);
	for (const hold of held) if (pick(4) < likelihood) await finishHeld(race, hold);
	return had;
};

const playRound = async (race: Race): Promise<void> => {
	const {world, cron, chain, pick, ids} = race;
	for (let count = 0; count < startsPerRound; count += 1) ids.push((await startChain(world, chain)).id);
	// Mostly those of the last rounds, which go on; the others are over.
	const chosen = () => ids[Math.max(0, ids.length - 1 - pick(startsPerRound * 10))] ?? '';
	await Promise.all([
		cron.chainProgress.advance(1000),
		work(race, 2),
		parallel(cancelsPerRound, () => cancelOne(race, chosen(), pick(mostReadings))),
	]);
};

/** Until nothing goes on: what was not canceled comes to its own end. */
const playOut = async (race: Race): Promise<void> => {
	for (let more = 1; more > 0; ) {
		const due = await race.cron.chainProgress.advance(1000);
		more = due + (await work(race, 4));
	}
};

const readAll = async ({world, caller, ids}: Race): Promise<readonly ChainExecutionRecord[]> => {
	const found = await Promise.all(ids.map((id) => world.stores.chainExecutions.get(caller.user_id, id)));
	return found.filter((each) => each !== undefined);
};

/** How far canceled executions were: which step ran, if one did. */
const stagesOf = (executions: Iterable<ChainExecution>): readonly string[] =>
	[...new Set([...executions].map(({steps}) => steps.map(({status}) => status).join(' ')))].sort();

const checkEnds = async (t: Assertions, race: Race): Promise<void> => {
	const {ids, canceled, late, world, caller} = race;
	const executions = await readAll(race);
	t.is(executions.length, ids.length);
	t.deepEqual(late, []);
	for (const execution of executions) {
		const {id, status} = execution;
		const answered = canceled.get(id);
		if (answered === undefined) t.is(['completed', 'failed'].includes(status), true, `${id} is ${status}`);
		else t.deepEqual(chainExecutionViewOf(execution), answered);
	}
	const runs = await listRuns(world, caller);
	const open = runs.filter(({status}) => status === 'pending' || status === 'running');
	t.deepEqual(open, []);
	const started = executions.flatMap(({steps}) => steps.flatMap(({execution_id}) => execution_id ?? []));
	t.deepEqual(runs.map(({id}) => id).sort(), started.sort());
};

const checkSecondCancels = async (t: Assertions, race: Race): Promise<void> => {
	const before = await readAll(race);
	const {cron, caller, ids} = race;
	const answers = await Promise.all(ids.map((id) => reasonOf(cron.chainExecutions.cancel(caller, id))));
	t.deepEqual(tally(answers), {conflict: ids.length});
	t.deepEqual(await readAll(race), before);
};

const cancelAtRandom = async (t: Assertions, race: Race): Promise<void> => {
	for (let round = 0; round < rounds; round += 1) await playRound(race);
	await playOut(race);
	const {resolved = 0, conflict = 0, ...others} = tally(race.answers);
	t.deepEqual([resolved + conflict, others], [rounds * cancelsPerRound, {}]);
	t.is(resolved, race.canceled.size);
	const stages = stagesOf(race.canceled.values());
	for (const stage of ['skipped skipped skipped', 'canceled skipped skipped', 'failed canceled skipped'])
		t.is(stages.includes(stage), true, `none was canceled at "${stage}", only at ${stages.join(', ')}`);
	await checkEnds(t, race);
	await checkSecondCancels(t, race);
};

/**
 * Registers what must hold when people cancel chains while their steps start, run and end, over the whole domain on the
 * adapter's stores.
 */
export const chainRaces = (test: ContractTest, harness: StoreHarness<Stores & CronStores>): void => {
	test(`[CHN-047 CHN-083 CHN-084] ${harness.name} chain races: of 1,000 cancels at any moment each counts once or is a conflict, and no step starts after one`, async (t) => {
		const opened = await harness.open();
		try {
			await cancelAtRandom(t, await startRace(createContractWorld(opened)));
		} finally {
			await opened.close();
		}
	});
};
