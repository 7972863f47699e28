import type {Resolver} from '../environment/resolver.ts';
import type {PlanRequest, Ports, WebhookPlanner} from '../ports/index.ts';
import type {ReadyEndpoint} from './endpoint-directory.ts';
import {lookUpValues} from './env-values.ts';
import type {DeduplicationClaim} from './model/acceptable.ts';
import type {AcceptancePlan, PlanFacts} from './model/acceptance-plan.ts';
import type {WebhookMessage} from './model/message.ts';
import {createEnvMarkers} from './rules/env-markers.ts';
import {planAcceptance} from './rules/plan-acceptance.ts';

/** What becomes of a webhook, with the claims as a store knows them. */
export type WebhookPlan = Omit<AcceptancePlan, 'claims'> &
	Readonly<{event: Readonly<{id: string; created_at: string}>; claims: readonly DeduplicationClaim[]}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'secrets' | 'webhookPlanner'> & Pick<Resolver, 'lookUp'>;

/** Letters and digits; more than 128 random bits. */
const newNonce = ({random}: Needs['secrets']): string => random(32).replaceAll(/[-_]/g, 'x');

const planHere: WebhookPlanner = {plan: async ({run}) => run(() => undefined)};

type Asked = Readonly<{ready: ReadyEndpoint; message: WebhookMessage; facts: PlanFacts}>;

const run = ({ready, message, facts}: Asked, {ids, secrets}: Needs, proceed: () => void): AcceptancePlan => {
	const markers = createEnvMarkers(() => newNonce(secrets), facts.values);
	return planAcceptance(ready.compiled, message, {...facts, markers, nextId: ids.next, proceed});
};

const describe = ({ready, message, facts}: Asked, {ids, secrets}: Needs): PlanRequest => {
	const {method, path, query, headers, body} = message;
	return {
		pipeline: ready.pipeline,
		message: {method, path, query, headers, body},
		facts,
		nonce: newNonce(secrets),
		delivery_ids: Array.from({length: Math.max(1, ready.compiled.routing.length)}, () => ids.next()),
	};
};

/** Takes a webhook through its endpoint as it is now: the same for what comes in, for a replay and for a dry run. */
export const createWebhookPlanner = (needs: Needs) => {
	const {plan} = needs.webhookPlanner ?? planHere;
	return async (ready: ReadyEndpoint, message: WebhookMessage, is_replay: boolean): Promise<WebhookPlan> => {
		const {pipeline, compiled} = ready;
		const values = await lookUpValues(needs, compiled.endpoint, compiled.env_keys);
		const event = {id: needs.ids.next(), created_at: needs.clock.now()};
		const asked = {ready, message, facts: {event, values, is_replay}};
		const planned = await plan({
			pipeline,
			bytes: message.body.length,
			run: (proceed) => run(asked, needs, proceed),
			describe: () => describe(asked, needs),
		});
		const claims = planned.claims.map(({value, otherwise, ...claim}) => ({
			...claim,
			digest: needs.secrets.digest(value),
			otherwise: {pipeline: otherwise, routing: null},
		}));
		const {processed, trace, outcome} = planned;
		return {processed, trace, outcome, event, claims};
	};
};
