import type {CostReport, ToolSpend} from '../model/metrics.ts';
import type {McpServerRecord} from '../model/server.ts';

/** The month's spend of a server beside its budget. `usage_percent` has two decimals, and is null without a budget. */
export const costReportOf = (
	tools: readonly ToolSpend[],
	{rate_limit_config}: Pick<McpServerRecord, 'rate_limit_config'>,
): CostReport => {
	const total_cents = tools.reduce((sum, tool) => sum + tool.total_cents, 0);
	const budget_cents = rate_limit_config.cost?.budget_cents ?? null;
	return {
		total_cents,
		budget_cents,
		usage_percent: budget_cents === null ? null : usagePercent(total_cents, budget_cents),
		tool_breakdown: tools.map((tool) => ({...tool})),
	};
};

/** A budget of nothing is used up from the start. */
export const usagePercent = (total_cents: number, budget_cents: number): number =>
	budget_cents === 0 ? 100 : Math.round((total_cents / budget_cents) * 10_000) / 100;

/** True for the one reservation that takes the month's sum over the alert threshold. */
export const crossesThreshold = (
	sum: Readonly<{before: number; after: number}>,
	cost: Readonly<{budget_cents: number; alert_threshold_percent: number}>,
): boolean => {
	const threshold = (cost.budget_cents * cost.alert_threshold_percent) / 100;
	return sum.before < threshold && sum.after >= threshold;
};
