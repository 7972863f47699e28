import type {Reservation, SpendStore, ToolSpend} from '@signalbox/core';
import type {Connection, Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {type Sql, sql} from '../sql.ts';
import {textKeyOf} from '../text-key.ts';
import {monthlySpend, toolSpend} from './spend.table.ts';

const ofMonth = ({mcp_server_id, month}: Pick<Reservation, 'mcp_server_id' | 'month'>): Sql =>
	sql`mcp_server_id = ${mcp_server_id} AND month = ${month}`;

const addToTool = (transaction: Transaction, {cents, ...reservation}: Reservation): Sql =>
	transaction.dialect.addOrInsert({
		table: toolSpend.name,
		key: ['mcp_server_id', 'month', 'tool_key'],
		sums: ['total_cents', 'call_count'],
		insert: toolSpend.insert([
			{...reservation, tool_key: textKeyOf(reservation.tool_name), total_cents: cents, call_count: 1},
		]),
	});

const startMonth = (transaction: Transaction, {mcp_server_id, month}: Reservation): Sql =>
	transaction.dialect.addOrInsert({
		table: monthlySpend.name,
		key: ['mcp_server_id', 'month'],
		sums: ['total_cents'],
		insert: monthlySpend.insert([{mcp_server_id, month, total_cents: 0}]),
	});

/** The month's row is what parallel reservations queue at: the guard on it keeps them within the budget. */
const addToMonth = async (transaction: Transaction, reservation: Reservation, budget_cents: number | null) => {
	const {cents} = reservation;
	const affordable = budget_cents === null ? sql`1 = 1` : sql`total_cents + ${cents} <= ${budget_cents}`;
	const month = ofMonth(reservation);
	return guardedUpdate(
		transaction,
		sql`UPDATE mcp_spend_months SET total_cents = total_cents + ${cents} WHERE ${month} AND ${affordable}`,
		sql`SELECT total_cents FROM mcp_spend_months WHERE ${month}`,
	);
};

const reserve = async (transaction: Transaction, reservation: Reservation, budget_cents: number | null) => {
	let row = await addToMonth(transaction, reservation, budget_cents);
	if (!row) {
		// Over the budget, or the first of its month.
		await transaction.run(startMonth(transaction, reservation));
		row = await addToMonth(transaction, reservation, budget_cents);
	}
	if (!row) return undefined;
	await transaction.run(addToTool(transaction, reservation));
	return Number(row.total_cents);
};

const release = async (transaction: Transaction, reservation: Reservation): Promise<void> => {
	const {cents, tool_name} = reservation;
	const ofTool = sql`${ofMonth(reservation)} AND tool_key = ${textKeyOf(tool_name)} AND call_count > 0`;
	const less = sql`total_cents = total_cents - ${cents}`;
	// Held first, as who reserves does: else the two would wait for each other.
	await transaction.all(
		sql`SELECT month FROM mcp_spend_months WHERE ${ofMonth(reservation)} ${transaction.dialect.forUpdate}`,
	);
	const released = await transaction.run(
		sql`UPDATE mcp_tool_spend SET ${less}, call_count = call_count - 1 WHERE ${ofTool}`,
	);
	if (released > 0) await transaction.run(sql`UPDATE mcp_spend_months SET ${less} WHERE ${ofMonth(reservation)}`);
};

const report = async (connection: Connection, mcp_server_id: string, month: string): Promise<readonly ToolSpend[]> => {
	const rows = await connection.all(
		sql`SELECT ${toolSpend.columns} FROM mcp_tool_spend WHERE ${ofMonth({mcp_server_id, month})} AND call_count > 0
			ORDER BY total_cents DESC, tool_name`,
	);
	return rows.map(toolSpend.read).map(({tool_name, total_cents, call_count}) => ({tool_name, total_cents, call_count}));
};

export const createSpendStore = (connection: Connection): SpendStore => ({
	reserve: async (reservation, budget_cents) =>
		connection.write(async (transaction) => reserve(transaction, reservation, budget_cents)),
	release: async (reservation) => connection.write(async (transaction) => release(transaction, reservation)),
	report: async (mcp_server_id, month) => report(connection, mcp_server_id, month),
});
