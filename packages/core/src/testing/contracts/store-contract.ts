import {besideTeams} from './account-neighbours.contract.ts';
import {apiKeys, textOfApiKeys} from './api-keys.contract.ts';
import {besideApprovals} from './approval-neighbours.contract.ts';
import {continuingApprovals, gapsOfApprovals} from './approval-rounds.contract.ts';
import {consumingApprovals, expiringApprovals, reattaching} from './approval-use.contract.ts';
import {openingApprovals, settlingApprovals, textOfApprovals, viewingApprovals} from './approvals.contract.ts';
import {attending} from './attendance.contract.ts';
import {rollups, textOfRollups} from './call-rollups.contract.ts';
import {callLog, readingCalls, textOfCalls} from './calls.contract.ts';
import {type Contract, type ContractTest, registerContract, type StoreHarness} from './contract.ts';
import {copies} from './copies.contract.ts';
import {deviceLogins} from './device-logins.contract.ts';
import {idempotency} from './idempotency.contract.ts';
import {audit, notifications} from './live.contract.ts';
import {liveEvents, liveListeners} from './live-events.contract.ts';
import {
	changingServers,
	deletingServers,
	limitsOfServers,
	mcpServers,
	resealingServers,
	textOfServers,
} from './mcp-servers.contract.ts';
import {neighbours} from './neighbours.contract.ts';
import {notificationChannels, notificationOutbox} from './notification-channels.contract.ts';
import {retainingCalls, retainingTheRest} from './retention.contract.ts';
import {openSessions, rotation} from './sessions.contract.ts';
import {spend, textOfSpend} from './spend.contract.ts';
import {deletingTeams, members, teams} from './teams.contract.ts';
import {changingUsers, creatingUsers, invitedUsers, textOfUsers} from './users.contract.ts';
import {resealingVariables, tenancyOfVariables, textOfVariables, variables} from './variables.contract.ts';

const accounts: readonly Contract[] = [
	creatingUsers,
	invitedUsers,
	changingUsers,
	textOfUsers,
	openSessions,
	rotation,
	apiKeys,
	textOfApiKeys,
	deviceLogins,
	teams,
	members,
	deletingTeams,
	besideTeams,
	idempotency,
];

const environment: readonly Contract[] = [variables, tenancyOfVariables, resealingVariables, textOfVariables];

const mcp: readonly Contract[] = [
	mcpServers,
	limitsOfServers,
	changingServers,
	deletingServers,
	resealingServers,
	textOfServers,
	callLog,
	readingCalls,
	textOfCalls,
	rollups,
	textOfRollups,
	openingApprovals,
	viewingApprovals,
	settlingApprovals,
	textOfApprovals,
	consumingApprovals,
	expiringApprovals,
	reattaching,
	besideApprovals,
	gapsOfApprovals,
	continuingApprovals,
	attending,
	spend,
	textOfSpend,
];

const live: readonly Contract[] = [
	audit,
	notifications,
	notificationChannels,
	notificationOutbox,
	liveEvents,
	liveListeners,
	retainingCalls,
	retainingTheRest,
	copies,
	neighbours,
];

/**
 * Registers a test for every promise of every storage port. An adapter that passes may stand behind the domain.
 * @param test Registers one test: AVA's `test`, or `test.serial` where many open stores at once are too many.
 */
export const storeContract = (test: ContractTest, harness: StoreHarness): void => {
	for (const contract of [...accounts, ...environment, ...mcp, ...live]) registerContract(test, harness, contract);
};
