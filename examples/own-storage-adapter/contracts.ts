import assert from 'node:assert/strict';
import {createMemoryStores} from '@signalbox/core/memory';
import {type Assertions, createManualClock, type StoreHarness, storeContract} from '@signalbox/core/testing';
import {openSqliteStores} from './sqlite-stores.ts';

/** How the published cases get at the stores: each opens its own, empty ones, and moves their clock. */
const harness: StoreHarness = {
	name: 'own',
	open: async () => {
		const clock = createManualClock();
		const {stores, close} = openSqliteStores(':memory:', clock);
		return {
			stores: {...createMemoryStores({clock}), ...stores},
			advance: clock.advance,
			now: clock.now,
			close: async () => close(),
		};
	},
};

const assertions: Assertions = {is: assert.strictEqual, deepEqual: assert.deepStrictEqual};

type Case = Readonly<{title: string; run(): Promise<void>}>;

/** The cases that speak of our stores. `storeContract` takes AVA's `test` as it is, and anything else of its shape. */
const casesOf = (subjects: RegExp): readonly Case[] => {
	const cases: Case[] = [];
	const register = (title: string, run: (t: Assertions) => Promise<void>) => {
		if (subjects.test(title)) cases.push({title, run: () => run(assertions)});
	};
	storeContract(Object.assign(register, {skip: () => {}}), harness);
	return cases;
};

/** @returns how many cases of the contract the stores have passed. @throws what the first one that they fail says. */
export const passContracts = async (): Promise<number> => {
	const cases = casesOf(/^own (audit|idempotency|teams: the audit trail)/);
	for (const {title, run} of cases) await run().catch((error) => assert.fail(`${title}\n${error.message}`));
	return cases.length;
};
