import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import type {ReadyEndpoint} from './endpoint-directory.ts';
import {lookUpValues} from './env-values.ts';
import type {DeduplicationClaim} from './model/acceptable.ts';
import type {WebhookMessage} from './model/message.ts';
import {createEnvMarkers} from './rules/env-markers.ts';
import {type AcceptancePlan, planAcceptance} from './rules/plan-acceptance.ts';

/** What becomes of a webhook, with the claims as a store knows them. */
export type WebhookPlan = Omit<AcceptancePlan, 'claims'> &
	Readonly<{event: Readonly<{id: string; created_at: string}>; claims: readonly DeduplicationClaim[]}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'secrets'> & Pick<Resolver, 'lookUp'>;

/** Letters and digits; more than 128 random bits. */
const newNonce = ({random}: Needs['secrets']): string => random(32).replaceAll(/[-_]/g, 'x');

/** Takes a webhook through its endpoint as it is now: the same for what comes in, for a replay and for a dry run. */
export const createWebhookPlanner =
	(needs: Needs) =>
	async (
		{compiled}: Pick<ReadyEndpoint, 'compiled'>,
		message: WebhookMessage,
		is_replay: boolean,
	): Promise<WebhookPlan> => {
		const values = await lookUpValues(needs, compiled.endpoint, compiled.env_keys);
		const event = {id: needs.ids.next(), created_at: needs.clock.now()};
		const markers = createEnvMarkers(() => newNonce(needs.secrets), values);
		const plan = planAcceptance(compiled, message, {event, markers, is_replay, nextId: needs.ids.next});
		const claims = plan.claims.map(({value, otherwise, ...claim}) => ({
			...claim,
			digest: needs.secrets.digest(value),
			otherwise: {pipeline: otherwise, routing: null},
		}));
		return {...plan, event, claims};
	};
