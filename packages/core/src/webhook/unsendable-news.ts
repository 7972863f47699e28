import type {Accepted, Ports} from '../ports/index.ts';
import {millisecondsBetween} from '../values/instant.ts';
import type {ReadyEndpoint} from './endpoint-directory.ts';
import {type FailureNews, tellOfFailure} from './failure-news.ts';
import type {EventStatus} from './model/event.ts';
import type {WebhookPlan} from './plan-webhook.ts';

type Needs = Pick<Ports, 'clock' | 'ids' | 'teams' | 'notifications'>;

/** Whoever sends thousands a second is not to have as many looked up. Milliseconds. */
const pause = 60_000;

const goesNowhere = ({trace}: WebhookPlan): string => {
	const step = trace.pipeline.steps.find(({outcome}) => outcome === 'error');
	const cause = step === undefined ? 'a routing rule cannot be judged' : `its step ${step.name} fails`;
	return `A webhook goes nowhere: ${cause}. Its trace says why; replay it once that is mended.`;
};

type Unsendable = Pick<FailureNews, 'message' | 'destination'>;

/** Why a webhook that was accepted is not sent somewhere, whatever the destinations do; undefined when it is. */
const unsendable = (plan: WebhookPlan, status: EventStatus): Unsendable | undefined => {
	if (status === 'pipeline_error') return {message: goesNowhere(plan), destination: 'pipeline'};
	if (status === 'duplicate' || !('deliveries' in plan.outcome)) return undefined;
	const failed = plan.outcome.deliveries.find(({failure}) => failure !== null);
	if (failed === undefined) return undefined;
	const message = `${failed.name}: ${failed.failure} It was not delivered, and is not tried again.`;
	return {message, destination: failed.rule_id ?? failed.name};
};

/**
 * Tells of webhooks that an endpoint takes in and cannot send as it is set up: their senders hear nothing but that they were
 * accepted. The webhook is on record by then: this never rejects.
 */
export const createUnsendableNews = (needs: Needs) => {
	const told = new WeakMap<ReadyEndpoint, string>();
	return async (ready: ReadyEndpoint, plan: WebhookPlan, accepted: Accepted): Promise<void> => {
		if (accepted.outcome === 'over_limit') return;
		const news = unsendable(plan, accepted.status);
		const [now, last] = [needs.clock.now(), told.get(ready)];
		if (news === undefined || (last !== undefined && Math.abs(millisecondsBetween(last, now)) < pause)) return;
		told.set(ready, now);
		const {endpoint} = ready.pipeline;
		const title = `Webhooks to ${endpoint.name} fail`;
		const data = {endpoint_id: endpoint.id, event_id: plan.event.id};
		await tellOfFailure(needs, endpoint, {...news, title, data}).catch(() => undefined);
	};
};
