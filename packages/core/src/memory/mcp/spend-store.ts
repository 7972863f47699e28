import {DomainError} from '../../errors.ts';
import type {ToolSpend} from '../../mcp/model/metrics.ts';
import type {Reservation, SpendStore} from '../../ports/index.ts';
import {compositeKey, type MemoryDatabase} from '../database.ts';
import {rowsWhere} from '../rows.ts';

const costliestFirst = (a: ToolSpend, b: ToolSpend): number =>
	b.total_cents - a.total_cents || (a.tool_name < b.tool_name ? -1 : 1);

const keyOf = ({mcp_server_id, month, tool_name}: Reservation): string => compositeKey(mcp_server_id, month, tool_name);

export const createSpendStore = (db: MemoryDatabase): SpendStore => {
	const ofMonth = (mcp_server_id: string, month: string) =>
		rowsWhere(db.spend, (row) => row.mcp_server_id === mcp_server_id && row.month === month);
	const book = (reservation: Reservation, cents: number, calls: number): void => {
		const booked = db.spend.get(keyOf(reservation)) ?? {...reservation, cents: 0, call_count: 0};
		const row = {...booked, cents: booked.cents + cents, call_count: booked.call_count + calls};
		db.spend.set(keyOf(reservation), row);
	};
	return {
		reserve: async (reservation, budget_cents) => {
			const {mcp_server_id, month, cents} = reservation;
			if (!db.mcpServers.has(mcp_server_id)) throw new DomainError('resource_not_found');
			const sum = ofMonth(mcp_server_id, month).reduce((total, row) => total + row.cents, cents);
			if (budget_cents !== null && sum > budget_cents) return undefined;
			book(reservation, cents, 1);
			return sum;
		},
		release: async (reservation) => {
			if ((db.spend.get(keyOf(reservation))?.call_count ?? 0) > 0) book(reservation, -reservation.cents, -1);
		},
		report: async (mcp_server_id, month) =>
			ofMonth(mcp_server_id, month)
				.filter((row) => row.call_count > 0)
				.map(({tool_name, cents, call_count}) => ({tool_name, total_cents: cents, call_count}))
				.sort(costliestFirst),
	};
};
