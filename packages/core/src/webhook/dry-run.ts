import type {Resolver} from '../environment/resolver.ts';
import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {createEndpointAccess} from './endpoint-access.ts';
import type {EndpointDirectory} from './endpoint-directory.ts';
import type {Sample} from './model/sample.ts';
import type {CompactTrace, PipelineTrace, RoutingTrace, Trace} from './model/trace.ts';
import {createWebhookPlanner, type WebhookPlan} from './plan-webhook.ts';
import {expandTrace} from './rules/expand-trace.ts';
import {sampleMessage} from './rules/sample-message.ts';

/** What an endpoint would do with a webhook. Nothing is delivered and nothing remembered. */
export type DryRun = Readonly<{
	/** Through all active middleware. */
	testMiddlewares(caller: Caller, endpoint_id: string, sample: Sample): Promise<PipelineTrace>;
	/** Through the middleware and the rules; one that the middleware ends goes nowhere. */
	testRouting(caller: Caller, endpoint_id: string, sample: Sample): Promise<RoutingTrace>;
}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'secrets' | 'signals' | 'endpoints' | 'intake' | 'webhookPlanner'> &
	Pick<Resolver, 'lookUp'> & {find: EndpointDirectory['find']};

export const createDryRun = (needs: Needs): DryRun => {
	const access = createEndpointAccess(needs);
	const plan = createWebhookPlanner(needs);
	const run = async (caller: Caller, endpoint_id: string, sample: Sample): Promise<Trace> => {
		const {slug} = await access.find(caller, endpoint_id);
		const ready = await needs.find(slug);
		if (ready === undefined) throw new DomainError('resource_not_found');
		const message = sampleMessage(sample);
		return expandTrace(await cutAtDuplicate(needs, await plan(ready, message, false)), message);
	};
	return {
		testMiddlewares: async (caller, endpoint_id, sample) => (await run(caller, endpoint_id, sample)).pipeline,
		testRouting: async (caller, endpoint_id, sample) => {
			const {routing_mode} = await access.find(caller, endpoint_id);
			const {routing} = await run(caller, endpoint_id, sample);
			return routing ?? {routing_mode, destinations: [], rules: []};
		},
	};
};

/** The trace as it is when somebody holds one of the claims now: what an intake decides as it writes. */
const cutAtDuplicate = async ({intake}: Needs, {claims, trace}: WebhookPlan): Promise<CompactTrace> => {
	for (const claim of claims) if (await intake.isClaimed(claim)) return claim.otherwise;
	return trace;
};
