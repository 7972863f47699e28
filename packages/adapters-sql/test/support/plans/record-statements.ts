import {instantOf, type Stores} from '@signalbox/core';
import {
	type Assertions,
	type ContractTest,
	cronStoreContract,
	type StoreHarness,
	storeContract,
	webhookStoreContract,
} from '@signalbox/core/testing';
import type {Connection, Reader, Transaction} from '../../../src/connection.ts';
import {fireHere} from '../../../src/cron/worker-writer.ts';
import {writeCallsHere} from '../../../src/fast-writers.ts';
import {createGroupWriter} from '../../../src/mcp/call-log/group-writer.ts';
import type {Presence} from '../../../src/presence.ts';
import type {Sql} from '../../../src/sql.ts';
import {createStores} from '../../../src/stores.ts';
import {createGroupedWriter} from '../../../src/webhook/grouped-writer.ts';
import {writeWebhooksHere} from '../../../src/webhook/writer.ts';

/** An empty, migrated database, which its end removes. `clockOffset` is how far its clock is ahead, in milliseconds. */
export type OpenConnection = (clockOffset: () => number) => Promise<Connection>;

/** Statements by their text, each with the values of its first time. */
type Record = Map<string, Sql>;

export const textOf = ({texts}: Sql): string => texts.join('?').replaceAll(/\s+/g, ' ').trim();

const note = (record: Record, statement: Sql): Sql => {
	const text = textOf(statement);
	if (!record.has(text)) record.set(text, statement);
	return statement;
};

const notingReads = (record: Record, {all}: Reader) => ({
	all: async (statement: Sql) => all(note(record, statement)),
});

const notingWrites = (record: Record, transaction: Transaction): Transaction => ({
	...transaction,
	...notingReads(record, transaction),
	run: async (statement) => transaction.run(note(record, statement)),
	later: async (statement) => transaction.later(note(record, statement)),
	each: async (statements) => transaction.each(statements.map((statement) => note(record, statement))),
});

const notingConnection = (record: Record, connection: Connection): Connection => ({
	...connection,
	...notingReads(record, connection),
	write: async (work) => connection.write(async (transaction) => work(notingWrites(record, transaction))),
});

/** Nobody else is there: what is done before anybody begins is done, too. */
const alone: Presence = {enter: async (work) => work(), leave: async () => {}};

const storesOver = (connection: Connection): Stores => {
	const {append} = createGroupWriter(writeCallsHere(connection));
	const webhooks = createGroupedWriter(writeWebhooksHere(connection));
	return createStores(connection, {callLog: {append}, webhooks, fire: fireHere(connection)}, alone);
};

const recordingHarness = (record: Record, open: OpenConnection): StoreHarness<Stores> => ({
	name: 'recorded',
	open: async () => {
		let offset = 0;
		const connection = await open(() => offset);
		return {
			stores: storesOver(notingConnection(record, connection)),
			advance: async (milliseconds) => {
				offset += milliseconds;
			},
			now: () => instantOf(Date.now() + offset),
			close: connection.close,
		};
	},
});

type Case = (assertions: Assertions) => Promise<void>;

/** The cases of every contract: between them they call every method of every store. */
const casesOf = (harness: StoreHarness<Stores>): readonly Case[] => {
	const cases: Case[] = [];
	const collect: ContractTest = Object.assign((_title: string, run: Case) => void cases.push(run), {skip: () => {}});
	storeContract(collect, harness);
	cronStoreContract(collect, harness);
	webhookStoreContract(collect, harness);
	return cases;
};

const indifferent: Assertions = {is: () => undefined, deepEqual: () => undefined};

/** Every statement that the stores issue while they keep what their contracts promise. */
export const recordStatements = async (open: OpenConnection): Promise<readonly Sql[]> => {
	const record: Record = new Map();
	// Whether the cases hold is judged elsewhere.
	for (const run of casesOf(recordingHarness(record, open))) await run(indifferent).catch(() => undefined);
	return [...record.values()];
};
