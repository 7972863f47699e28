import {type Instant, plusSeconds} from './instant.ts';

/** For how many days what is final is kept, by the plan of the account that it belongs to. */
export type Retention = Readonly<{
	days_by_plan: ReadonlyMap<string, number>;
	/** For a plan that is not among them. */
	otherwise: number;
}>;

const secondsInADay = 24 * 3600;

/** What is older than the answer is kept no longer, now. */
export const keptSince = ({days_by_plan, otherwise}: Retention, plan: string | undefined, now: Instant): Instant =>
	plusSeconds(now, -((plan === undefined ? undefined : days_by_plan.get(plan)) ?? otherwise) * secondsInADay);
