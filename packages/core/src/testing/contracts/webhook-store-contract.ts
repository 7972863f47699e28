import type {Stores, WebhookStores} from '../../ports/index.ts';
import {type ContractTest, registerContract, type StoreHarness} from './contract.ts';
import {claims, severalClaims} from './webhook-claims.contract.ts';
import {
	changingEndpoints,
	endpoints,
	limitsOfEndpoints,
	resealingEndpoints,
	textOfEndpoints,
} from './webhook-endpoints.contract.ts';
import {progressOfEvents, retryingEvents} from './webhook-event-progress.contract.ts';
import {readingEvents, textOfEvents} from './webhook-events.contract.ts';
import {accepting, countingEvents, firstAttempts} from './webhook-intake.contract.ts';
import {leaseWalks} from './webhook-lease-walk.contract.ts';
import {dueDeliveries, expiringLeases, leasing} from './webhook-leases.contract.ts';
import {besideEvents} from './webhook-neighbours.contract.ts';
import {middlewares, routingRules} from './webhook-ordered.contract.ts';
import {deletingEndpoints, pipelines} from './webhook-pipelines.contract.ts';
import {retainingEvents} from './webhook-retention.contract.ts';
import {fencing, settling, textOfAttempts} from './webhook-settling.contract.ts';
import {limitedUsers} from './webhook-user-limits.contract.ts';
import type {WebhookContract} from './webhook-world.ts';

const contracts: readonly WebhookContract[] = [
	endpoints,
	limitsOfEndpoints,
	changingEndpoints,
	resealingEndpoints,
	textOfEndpoints,
	...middlewares,
	...routingRules,
	pipelines,
	deletingEndpoints,
	accepting,
	countingEvents,
	firstAttempts,
	claims,
	severalClaims,
	readingEvents,
	textOfEvents,
	progressOfEvents,
	retryingEvents,
	retainingEvents,
	besideEvents,
	leasing,
	expiringLeases,
	leaseWalks,
	limitedUsers,
	dueDeliveries,
	settling,
	fencing,
	textOfAttempts,
];

/** Registers a test for every promise of the stores of webhooks, as `storeContract` does for all others. */
export const webhookStoreContract = (test: ContractTest, harness: StoreHarness<Stores & WebhookStores>): void => {
	for (const contract of contracts) registerContract(test, harness, contract);
};
