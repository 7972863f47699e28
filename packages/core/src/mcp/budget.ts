import {keepersOf} from '../keepers-of.ts';
import type {Ports, Reservation} from '../ports/index.ts';
import {type Instant, millisecondsOf, monthOf} from '../values/instant.ts';
import type {Passage, ToolCall} from './model/passage.ts';
import type {McpServerRecord} from './model/server.ts';
import {crossesThreshold, usagePercent} from './rules/cost-report.ts';

type Needs = Pick<Ports, 'spend' | 'teams' | 'notifications' | 'signals' | 'clock' | 'ids'>;

/** The month's money of a server. */
export type Budget = Readonly<{
	/** Sets the cost of one call aside, or says that the budget is spent. */
	reserve(call: Pick<ToolCall, 'server' | 'tool_name'>, approval_id: string | null): Promise<Passage>;
}>;

export const createBudget = (needs: Needs): Budget => ({
	reserve: async ({server, tool_name}, approval_id) => {
		const cost_cents = server.default_cost_cents;
		// What costs nothing exceeds nothing: such a call writes nothing.
		const pass = {outcome: 'pass', approval_id, cost_cents, done: () => {}} as const;
		if (cost_cents === 0) return {...pass, release: async () => {}};
		const now = needs.clock.now();
		const reservation = {mcp_server_id: server.id, month: monthOf(now), tool_name, cents: cost_cents};
		const cost = server.rate_limit_config.cost;
		const spent = await needs.spend.reserve(reservation, cost?.budget_cents ?? null);
		if (spent === undefined) return budgetSpent(approval_id, now);
		if (cost && crossesThreshold({before: spent - cost_cents, after: spent}, cost)) {
			// The money is set aside by then: that nobody can be told is no reason to keep it and refuse the call.
			await alert(needs, server, usagePercent(spent, cost.budget_cents)).catch(() => undefined);
		}
		return {...pass, release: onceReleased(needs, reservation)};
	},
});

const budgetSpent = (approval_id: string | null, now: Instant): Passage => ({
	outcome: 'limited',
	message: "The month's budget of this server is spent.",
	retry_after_seconds: Math.ceil((nextMonth(now) - millisecondsOf(now)) / 1000),
	approval_id,
});

/** When the UTC month after the instant begins, in epoch milliseconds. */
const nextMonth = (now: Instant): number => {
	const [year = 0, month = 0] = monthOf(now).split('-').map(Number);
	return Date.UTC(year, month, 1);
};

const onceReleased = (needs: Needs, reservation: Reservation): (() => Promise<void>) => {
	let released: Promise<void> | undefined;
	return () => {
		released ??= needs.spend.release(reservation);
		return released;
	};
};

const alert = async (needs: Needs, server: McpServerRecord, usage_percent: number): Promise<void> => {
	needs.signals.publish({type: 'mcp.budget.alert', mcp_server_id: server.id, team_id: server.team_id, usage_percent});
	const news = {
		type: 'budget_alert' as const,
		title: `Budget of ${server.name}`,
		message: `${usage_percent} % of this month's budget is spent.`,
		data: {mcp_server_id: server.id, usage_percent},
		is_read: false,
		created_at: needs.clock.now(),
	};
	const keepers = await keepersOf(needs, server);
	await needs.notifications.append(...keepers.map((user_id) => ({...news, id: needs.ids.next(), user_id})));
};
