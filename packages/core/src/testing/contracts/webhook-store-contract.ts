import type {Stores, WebhookStores} from '../../ports/index.ts';
import {type ContractTest, registerContract, type StoreHarness} from './contract.ts';
import {
	changingEndpoints,
	endpoints,
	limitsOfEndpoints,
	resealingEndpoints,
	textOfEndpoints,
} from './webhook-endpoints.contract.ts';
import {middlewares, routingRules} from './webhook-ordered.contract.ts';
import {deletingEndpoints, pipelines} from './webhook-pipelines.contract.ts';
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
];

/** Registers a test for every promise of the stores of webhooks, as `storeContract` does for all others. */
export const webhookStoreContract = (test: ContractTest, harness: StoreHarness<Stores & WebhookStores>): void => {
	for (const contract of contracts) registerContract(test, harness, contract);
};
