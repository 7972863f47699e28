import type {Accepted, Ports} from '../ports/index.ts';
import {monthOf, nextMonthOf} from '../values/instant.ts';
import type {ReadyEndpoint} from './endpoint-directory.ts';
import {usesUpPlan} from './rules/uses-up-plan.ts';

type Needs = Pick<Ports, 'clock' | 'ids' | 'notifications'>;

/** Tells a user, once a month, that the events of their plan run out. The webhook is accepted by then: this never rejects. */
export const createUsageWarning =
	({clock, ids, notifications}: Needs) =>
	async ({pipeline, monthly_limit}: ReadyEndpoint, accepted: Accepted): Promise<void> => {
		if (accepted.outcome === 'over_limit' || !usesUpPlan(accepted.events_this_month, monthly_limit)) return;
		const now = clock.now();
		const used = `${accepted.events_this_month} of the ${monthly_limit} webhooks of your plan have come in this month.`;
		const notification = {
			id: ids.next(),
			user_id: pipeline.endpoint.user_id,
			type: 'usage_warning' as const,
			title: 'Webhooks of this month',
			message: `${used} What comes in beyond them is refused until ${nextMonthOf(now).slice(0, 10)}.`,
			data: {month: monthOf(now), events: accepted.events_this_month, limit: monthly_limit},
			is_read: false,
			created_at: now,
		};
		await notifications.append(notification).catch(() => undefined);
	};
