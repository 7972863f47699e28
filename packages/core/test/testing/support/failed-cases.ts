import assert from 'node:assert/strict';
import type {Stores} from '@signalbox/core';
import {
	type Assertions,
	type ContractTest,
	chainRaces,
	createManualClock,
	cronStoreContract,
	storeContract,
	webhookStoreContract,
} from '@signalbox/core/testing';
import {createMemoryDatabase, type MemoryDatabase} from '../../../src/memory/database.ts';
import {storesOver} from '../../../src/memory/stores.ts';

/** Methods that stand in for those of the sound memory stores. */
export type Fault = (sound: Stores, db: MemoryDatabase) => Readonly<{[Store in keyof Stores]?: Partial<Stores[Store]>}>;

const withFault = (fault: Fault, db: MemoryDatabase): Stores => {
	const sound = storesOver(db);
	const bent = Object.entries(fault(sound, db)).map(([name, methods]) => [
		name,
		{...(sound[name as keyof Stores] as object), ...methods},
	]);
	return {...sound, ...Object.fromEntries(bent)};
};

type Case = Readonly<{title: string; run: (t: Assertions) => Promise<void>}>;

const strict: Assertions = {is: assert.strictEqual, deepEqual: assert.deepStrictEqual};

const casesFor = (fault: Fault): readonly Case[] => {
	const cases: Case[] = [];
	const collect = (title: string, run: Case['run']) => cases.push({title, run});
	const test: ContractTest = Object.assign(collect, {skip: collect});
	const harness = {
		name: 'faulty',
		open: async () => {
			const clock = createManualClock();
			const db = createMemoryDatabase(clock);
			return {stores: withFault(fault, db), advance: clock.advance, now: clock.now, close: async () => {}};
		},
	};
	storeContract(test, harness);
	webhookStoreContract(test, harness);
	cronStoreContract(test, harness);
	chainRaces(test, harness);
	return cases;
};

const fails = async ({run}: Case): Promise<boolean> => {
	try {
		await run(strict);
		return false;
	} catch {
		return true;
	}
};

/** Titles of the cases about that subject which the faulty stores fail. */
export const failedCases = async (subject: string, fault: Fault): Promise<readonly string[]> => {
	const failed: string[] = [];
	for (const each of casesFor(fault)) {
		if (each.title.includes(`faulty ${subject}`) && (await fails(each))) failed.push(each.title);
	}
	return failed;
};
