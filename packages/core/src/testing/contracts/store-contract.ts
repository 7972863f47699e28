import {apiKeys, textOfApiKeys} from './api-keys.contract.ts';
import {type Contract, type ContractTest, registerContract, type StoreHarness} from './contract.ts';
import {idempotency} from './idempotency.contract.ts';
import {openSessions, rotation} from './sessions.contract.ts';
import {deletingTeams, members, teams} from './teams.contract.ts';
import {changingUsers, creatingUsers, invitedUsers, textOfUsers} from './users.contract.ts';

const contracts: readonly Contract[] = [
	creatingUsers,
	invitedUsers,
	changingUsers,
	textOfUsers,
	openSessions,
	rotation,
	apiKeys,
	textOfApiKeys,
	teams,
	members,
	deletingTeams,
	idempotency,
];

/**
 * Registers a test for every promise of every storage port. An adapter that passes may stand behind the domain.
 * @param test Registers one test: AVA's `test`, or `test.serial` where many open stores at once are too many.
 */
export const storeContract = (test: ContractTest, harness: StoreHarness): void => {
	for (const contract of contracts) registerContract(test, harness, contract);
};
