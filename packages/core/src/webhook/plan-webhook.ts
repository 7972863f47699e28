import type {Resolver} from '../environment/resolver.ts';
import type {Ports} from '../ports/index.ts';
import {unresolvedMessage} from '../values/unresolved-message.ts';
import type {ReadyEndpoint} from './endpoint-directory.ts';
import type {DeduplicationClaim} from './model/acceptable.ts';
import type {WebhookMessage} from './model/message.ts';
import {createEnvMarkers, type EnvValues} from './rules/env-markers.ts';
import {type AcceptancePlan, planAcceptance} from './rules/plan-acceptance.ts';

/** What becomes of a webhook, with the claims as a store knows them. */
export type WebhookPlan = Omit<AcceptancePlan, 'claims'> &
	Readonly<{event: Readonly<{id: string; created_at: string}>; claims: readonly DeduplicationClaim[]}>;

type Needs = Pick<Ports, 'clock' | 'ids' | 'secrets'> & Pick<Resolver, 'lookUp'>;

/** Letters and digits; more than 128 random bits. */
const newNonce = ({random}: Needs['secrets']): string => random(32).replaceAll(/[-_]/g, 'x');

const valuesFor = async ({lookUp}: Needs, {endpoint, env_keys}: ReadyEndpoint['compiled']): Promise<EnvValues> => {
	if (env_keys.length === 0) return new Map();
	const found = await lookUp(endpoint, 'webhook', env_keys);
	return new Map(
		Array.from(found, ([key, value]) => [key, 'value' in value ? value : {because: unresolvedMessage(value)}]),
	);
};

/** Takes a webhook through its endpoint as it is now: the same for what comes in, for a replay and for a dry run. */
export const createWebhookPlanner =
	(needs: Needs) =>
	async (
		{compiled}: Pick<ReadyEndpoint, 'compiled'>,
		message: WebhookMessage,
		is_replay: boolean,
	): Promise<WebhookPlan> => {
		const values = await valuesFor(needs, compiled);
		const event = {id: needs.ids.next(), created_at: needs.clock.now()};
		const markers = createEnvMarkers(newNonce(needs.secrets), values);
		const plan = planAcceptance(compiled, message, {event, markers, is_replay, nextId: needs.ids.next});
		const claims = plan.claims.map(({value, otherwise, ...claim}) => ({
			...claim,
			digest: needs.secrets.digest(value),
			otherwise: {pipeline: otherwise, routing: null},
		}));
		return {...plan, event, claims};
	};
