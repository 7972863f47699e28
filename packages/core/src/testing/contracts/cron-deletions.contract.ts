import {buildEnding, buildNewExecution} from '../builders/cron.ts';
import {addChainOwner, addRunningChain, startChain, startingStep} from './chain-world.ts';
import {addAgent, addJob, addOwner, type CronContract, listRuns, startRun} from './cron-world.ts';
import {idsOf, parallel, reasonOf} from './world.ts';

/** As often as it takes until the parts of a pair meet in every way. */
const rounds = 8;

export const deletionsBesideWork: CronContract = {
	subject: 'deletions in parallel',
	cases: {
		'a job that is given an agent while that goes is refused, or left to the default one': async (t, world) => {
			const owner = await addOwner(world);
			const {agents, cronJobs} = world.stores;
			for (let round = 0; round < rounds; round += 1) {
				const agent = await addAgent(world, owner);
				const jobs = await parallel(6, () => addJob(world, owner, {agent_id: owner.agent.id}));
				const given = jobs.map((job) =>
					reasonOf(cronJobs.update(owner.user_id, {...job, agent_id: agent.id}, job.version)),
				);
				await Promise.all([agents.delete(owner.user_id, agent.id), ...given]);
				const found = await Promise.all(jobs.map(({id}) => cronJobs.get(owner.user_id, id)));
				t.is(found.filter((job) => job?.agent_id === agent.id).length, 0);
			}
		},
		'a step that starts while its chain goes is canceled, or does not start': async (t, world) => {
			for (let round = 0; round < rounds; round += 1) {
				const owner = await addChainOwner(world);
				const [next, start] = startingStep(world, await startChain(world, owner.chain));
				await Promise.all([
					world.stores.chainExecutions.advance(next, [start]),
					world.stores.chains.delete(owner.user_id, owner.chain.id),
				]);
				t.is((await listRuns(world, owner)).filter(({status}) => status === 'pending').length, 0);
			}
		},
		'an attempt that is followed by another one while its chain goes leaves none behind': async (t, world) => {
			for (let round = 0; round < rounds; round += 1) {
				const owner = await addRunningChain(world);
				const hold = await startRun(world, owner.agent);
				const again = {triggered_by: 'retry', attempt: 2, retry_of: owner.run.id} as const;
				const retry = buildNewExecution({job_id: owner.job.id, ...again});
				await Promise.all([
					world.stores.executionLeases.finish(owner.user_id, hold, buildEnding({result: {status: 'failed'}, retry})),
					world.stores.chains.delete(owner.user_id, owner.chain.id),
				]);
				t.is((await listRuns(world, owner)).filter(({status}) => status === 'pending').length, 0);
			}
		},
		'a step that starts while its job goes makes its chain execution due at once': async (t, world) => {
			for (let round = 0; round < rounds; round += 1) {
				const owner = await addChainOwner(world);
				const execution = await startChain(world, owner.chain);
				const [next, start] = startingStep(world, execution);
				await Promise.all([
					world.stores.chainExecutions.advance(next, [start]),
					world.stores.cronJobs.delete(owner.user_id, owner.job.id),
				]);
				const due = await world.stores.chainExecutions.due(rounds);
				t.is(idsOf(due.executions.map((each) => each.execution)).includes(execution.id), true);
			}
		},
	},
};
