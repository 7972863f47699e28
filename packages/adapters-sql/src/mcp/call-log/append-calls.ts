import type {McpCallEntry} from '@signalbox/core';
import type {Connection, Transaction} from '../../connection.ts';
import type {SqlValue} from '../../sql.ts';
import {ofTuples} from '../../table.ts';
import {appendedCalls, mcpCalls} from '../calls.table.ts';
import {foldAfter, foldCalls} from '../fold-rollups.ts';
import {countUp} from '../rollups.ts';
import type {WriteGroup} from './group-writer.ts';
import {endAttendance, endsAttendance, isServerGone, stillThere} from './write-calls.ts';

const rows = ofTuples(appendedCalls);

/** What the calls of each server add to its rollups stands in the first of them. */
const tuplesOf = (entries: readonly McpCallEntry[]): readonly (readonly SqlValue[])[] => {
	const deltas = Map.groupBy(countUp(entries), ({mcp_server_id}) => mcp_server_id);
	return entries.map((entry) => {
		const delta = deltas.get(entry.mcp_server_id);
		deltas.delete(entry.mcp_server_id);
		return [...mcpCalls.tuple(entry), ...(delta ? [1, JSON.stringify(delta)] : [null, null])];
	});
};

const insertCalls = async (transaction: Transaction, entries: readonly McpCallEntry[]): Promise<void> => {
	await transaction.insert(rows, tuplesOf(entries));
	await endAttendance(transaction, entries);
};

/** In a single statement, which is all or nothing by itself, wherever one is enough. */
const appendThose = async (connection: Connection, entries: readonly McpCallEntry[]): Promise<void> => {
	if (entries.some(endsAttendance)) return connection.write(async (transaction) => insertCalls(transaction, entries));
	return connection.insert(rows, tuplesOf(entries));
};

/** Folds beside what is appended meanwhile, the first time and then after every so many groups. */
const createFolding = (connection: Connection): (() => void) => {
	let unfolded = foldAfter;
	let isFolding = false;
	const fold = async (): Promise<void> => {
		isFolding = true;
		// That it fails harms nobody: the next one folds it.
		await connection.write(foldCalls).catch(() => undefined);
		isFolding = false;
	};
	return () => {
		unfolded += 1;
		if (unfolded <= foldAfter || isFolding) return;
		unfolded = 0;
		void fold();
	};
};

/**
 * Appends entries with what they add to the rollups; all or none. An entry whose server is gone is left out.
 * @param connection Groups are appended one at a time, and folded by another one of its connections.
 */
export const appendCallsHere = (connection: Connection): WriteGroup => {
	const appended = createFolding(connection);
	return async (entries) => {
		try {
			await appendThose(connection, entries);
		} catch (error) {
			if (!isServerGone(error)) throw error;
			await connection.write(async (transaction) => {
				await insertCalls(transaction, await stillThere(transaction, entries, ({mcp_server_id}) => mcp_server_id));
			});
		}
		appended();
	};
};
