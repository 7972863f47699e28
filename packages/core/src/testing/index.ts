export {
	buildAccount,
	buildApiKey,
	buildInvite,
	buildMembership,
	buildRefreshToken,
	buildTeam,
	buildUser,
} from './builders/accounts.ts';
export {addCaller} from './builders/caller.ts';
export {buildChain, buildChainFiring, buildChainStep, buildNewChainExecution} from './builders/chains.ts';
export {buildAgent, buildCronJob, buildEnding, buildFiring, buildNewExecution} from './builders/cron.ts';
export {buildSealed, buildVariable} from './builders/environment.ts';
export {buildId, builtAt} from './builders/identity.ts';
export {buildAuditEntry, buildNotification, buildNotificationChannel} from './builders/live.ts';
export {buildApproval, buildCallEntry, buildNewApproval, buildServer} from './builders/mcp.ts';
export {
	buildAcceptable,
	buildClaim,
	buildEndpoint,
	buildEvent,
	buildMiddleware,
	buildPlannedDelivery,
	buildRoutingRule,
	buildSettlement,
} from './builders/webhook.ts';
export {approvalRaces} from './contracts/approval-races.contract.ts';
export {chainRaces} from './contracts/chain-races.contract.ts';
export type {Assertions, Capability, ContractTest, OpenedStores, StoreHarness} from './contracts/contract.ts';
export {cronStoreContract} from './contracts/cron-store-contract.ts';
export {type LimiterHarness, type OpenedLimiters, rateLimiterContract} from './contracts/rate-limiter.contract.ts';
export {storeContract} from './contracts/store-contract.ts';
export {webhookStoreContract} from './contracts/webhook-store-contract.ts';
export {type EvilCase, evilPaths, evilPatterns} from './evil-cases.ts';
export {failingStores, type StoreFailures} from './failing-stores.ts';
export {createManualClock, type ManualClock} from './manual-clock.ts';
export {createTestCore, createTestPorts, type TestCore, type TestPorts} from './test-core.ts';
