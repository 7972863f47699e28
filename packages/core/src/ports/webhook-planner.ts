import type {AcceptancePlan, PlanFacts} from '../webhook/model/acceptance-plan.ts';
import type {WebhookMessage} from '../webhook/model/message.ts';
import type {EndpointPipeline} from './webhook.ts';

/** A webhook to plan, as data that another thread can be given. */
export type PlanRequest = Readonly<{
	pipeline: EndpointPipeline;
	message: WebhookMessage;
	facts: PlanFacts;
	/** At least 128 random bits as letters and digits, new for each webhook. */
	nonce: string;
	/** One for each rule, and one at least. */
	delivery_ids: readonly string[];
}>;

/** A webhook that is to be planned: at once, or where `describe` is sent. Both have no effect and come to the same. */
export type PlanJob = Readonly<{
	/** The same object for as long as the endpoint has the same version. */
	pipeline: EndpointPipeline;
	/** Of the body. */
	bytes: number;
	/** @param proceed is called before each step and each rule; what it throws ends the planning, and is thrown. */
	run(proceed: () => void): AcceptancePlan;
	describe(): PlanRequest;
}>;

/**
 * Decides where webhooks are planned. Patterns, paths and templates of people may take 50 ms each, and nobody is answered
 * meanwhile by the thread that they run on.
 */
export type WebhookPlanner = Readonly<{
	/** @throws service_unavailable when it was begun elsewhere and not ended. */
	plan(job: PlanJob): Promise<AcceptancePlan>;
}>;
