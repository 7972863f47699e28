import {keptSince, type Retention} from '@signalbox/core';
import {join, type Sql, sql} from './sql.ts';
import {storedInstant} from './table.ts';

/** Before when it is over, by the plan of the account `u` that it belongs to. */
export const edgeOf = (retention: Retention, now: string): Sql => {
	const edge = (plan?: string): string => storedInstant(keptSince(retention, plan, now));
	const cases = [...retention.days_by_plan.keys()].map((plan) => sql`WHEN ${plan} THEN ${edge(plan)}`);
	return cases.length === 0 ? sql`${edge()}` : sql`CASE u.plan ${join(cases, ' ')} ELSE ${edge()} END`;
};
