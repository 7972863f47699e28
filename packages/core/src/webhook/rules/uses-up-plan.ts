/** Of a month's events, when their user is told. */
const warnedAtPercent = 80;

/** True for the one event of a month with which so much of the plan is used (decisions, "Smaller points"). */
export const usesUpPlan = (events_this_month: number, monthly_limit: number | null): boolean =>
	monthly_limit !== null && events_this_month === Math.ceil((monthly_limit * warnedAtPercent) / 100);
