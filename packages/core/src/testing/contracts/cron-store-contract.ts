import type {CronStores, Stores} from '../../ports/index.ts';
import {type ContractTest, registerContract, type StoreHarness} from './contract.ts';
import {cronJobs, limitsOfJobs, textOfJobs, upcomingRuns} from './cron-jobs.contract.ts';
import {concurrency, dueJobs, firing} from './cron-ticks.contract.ts';
import type {CronContract} from './cron-world.ts';

const contracts: readonly CronContract[] = [
	cronJobs,
	limitsOfJobs,
	upcomingRuns,
	textOfJobs,
	dueJobs,
	firing,
	concurrency,
];

/** Registers a test for every promise of the stores of cron, as `storeContract` does for all others. */
export const cronStoreContract = (test: ContractTest, harness: StoreHarness<Stores & CronStores>): void => {
	for (const contract of contracts) registerContract(test, harness, contract);
};
