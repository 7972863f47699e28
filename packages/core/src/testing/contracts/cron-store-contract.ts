import type {CronStores, Stores} from '../../ports/index.ts';
import {advancingChains, creatingChainExecutions, endedChains} from './chain-executions.contract.ts';
import {besideChains} from './chain-neighbours.contract.ts';
import {triggeredChains} from './chain-triggers.contract.ts';
import {chains, chainTicks} from './chains.contract.ts';
import {type ContractTest, registerContract, type StoreHarness} from './contract.ts';
import {defaultAgents, heartbeats, limitsOfAgents, registeringAgents, textOfAgents} from './cron-agents.contract.ts';
import {deletionsBesideWork} from './cron-deletions.contract.ts';
import {
	cancelingExecutions,
	creatingExecutions,
	readingExecutions,
	retainingExecutions,
	untoldExecutions,
} from './cron-executions.contract.ts';
import {cronJobs, limitsOfJobs, textOfJobs, upcomingRuns} from './cron-jobs.contract.ts';
import {leasingExecutions, startingExecutions} from './cron-leases.contract.ts';
import {besideAgents} from './cron-neighbours.contract.ts';
import {appendingOutput, countingRuns, finishingExecutions, overdueExecutions} from './cron-results.contract.ts';
import {concurrency, dueJobs, firing} from './cron-ticks.contract.ts';
import type {CronContract} from './cron-world.ts';
import {dueChains} from './due-chains.contract.ts';
import {besideJobs} from './job-neighbours.contract.ts';

const contracts: readonly CronContract[] = [
	cronJobs,
	limitsOfJobs,
	upcomingRuns,
	textOfJobs,
	dueJobs,
	firing,
	concurrency,
	creatingExecutions,
	readingExecutions,
	cancelingExecutions,
	untoldExecutions,
	retainingExecutions,
	leasingExecutions,
	startingExecutions,
	appendingOutput,
	finishingExecutions,
	overdueExecutions,
	countingRuns,
	registeringAgents,
	limitsOfAgents,
	defaultAgents,
	heartbeats,
	textOfAgents,
	chains,
	chainTicks,
	creatingChainExecutions,
	advancingChains,
	dueChains,
	endedChains,
	triggeredChains,
	besideJobs,
	besideAgents,
	besideChains,
	deletionsBesideWork,
];

/** Registers a test for every promise of the stores of cron, as `storeContract` does for all others. */
export const cronStoreContract = (test: ContractTest, harness: StoreHarness<Stores & CronStores>): void => {
	for (const contract of contracts) registerContract(test, harness, contract);
};
