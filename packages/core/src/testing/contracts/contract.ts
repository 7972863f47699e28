import type {Stores} from '../../ports/index.ts';
import type {Instant} from '../../values/instant.ts';
import {type ContractWorld, createContractWorld} from './world.ts';

/** What an adapter may be unable to do; its harness then says why, and the cases that need it are skipped. */
export type Capability =
	/** Keeps every text to the last character, and tells texts apart by case, marks and trailing blanks. */
	'exact_text';

export type OpenedStores<S extends Stores = Stores> = Readonly<{
	/** Empty, and nobody else's. */
	stores: S;
	/** Moves the store's clock forward. */
	advance(milliseconds: number): Promise<void>;
	/** What the store's clock says. */
	now(): Instant;
	close(): Promise<void>;
}>;

/** How the suite gets at an adapter. Each case opens its own stores and closes them. */
export type StoreHarness<S extends Stores = Stores> = Readonly<{
	name: string;
	open(): Promise<OpenedStores<S>>;
	lacks?: Partial<Record<Capability, string>>;
}>;

/** The two assertions that the suite needs; AVA's `t` has them. */
export type Assertions = Readonly<{
	is(actual: unknown, expected: unknown, message?: string): unknown;
	deepEqual(actual: unknown, expected: unknown, message?: string): unknown;
}>;

type Register = (title: string, run: (t: Assertions) => Promise<void>) => unknown;

/** A function that registers a test: AVA's `test` or `test.serial`, or anything of that shape. */
export type ContractTest = Register & Readonly<{skip: Register}>;

/** Promises of one port, each titled as a sentence. */
export type Contract<S extends Stores = Stores> = Readonly<{
	subject: string;
	needs?: Capability;
	cases: Readonly<Record<string, (t: Assertions, world: ContractWorld<S>) => Promise<void>>>;
}>;

/** Registers every case of the contract. */
export const registerContract = <S extends Stores>(
	test: ContractTest,
	harness: StoreHarness<S>,
	contract: Contract<S>,
): void => {
	const lacking = contract.needs === undefined ? undefined : harness.lacks?.[contract.needs];
	for (const [title, run] of Object.entries(contract.cases)) {
		const fullTitle = `${harness.name} ${contract.subject}: ${title}`;
		const runOnce = async (t: Assertions) => {
			const opened = await harness.open();
			try {
				await run(t, createContractWorld(opened));
			} finally {
				await opened.close();
			}
		};
		if (lacking === undefined) test(fullTitle, runOnce);
		else test.skip(`${fullTitle} (${lacking})`, runOnce);
	}
};
