import type {ToolSpend} from '@signalbox/core';
import {defineTable, number, text} from '../table.ts';

type Month = Readonly<{mcp_server_id: string; month: string}>;

/** The sum of a month: one row to guard, however many tools there are. */
export const monthlySpend = defineTable<Month & Readonly<{total_cents: number}>>('mcp_spend_months', {
	mcp_server_id: text(),
	month: text(),
	total_cents: number,
});

export const toolSpend = defineTable<Month & ToolSpend & Readonly<{tool_key: string}>>('mcp_tool_spend', {
	mcp_server_id: text(),
	month: text(),
	tool_key: text(),
	tool_name: text(),
	total_cents: number,
	call_count: number,
});
