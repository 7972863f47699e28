import type {AcceptancePlan, PlanFacts} from '../model/acceptance-plan.ts';
import type {WebhookMessage} from '../model/message.ts';
import type {CompiledEndpoint} from './compile-endpoint.ts';
import {createEnvMarkers} from './env-markers.ts';
import {planAcceptance} from './plan-acceptance.ts';

type Drawn = Readonly<{message: WebhookMessage; facts: PlanFacts; nonce: string; delivery_ids: readonly string[]}>;

/** Plans with what was drawn before: the same as is planned where all of it can be drawn. */
export const planRequested = (
	compiled: CompiledEndpoint,
	{message, facts, nonce, delivery_ids}: Drawn,
): AcceptancePlan => {
	const ids = delivery_ids.values();
	const nextId = (): string => {
		const {value} = ids.next();
		if (value === undefined) throw new TypeError('more deliveries were planned than ids were drawn');
		return value;
	};
	return planAcceptance(compiled, message, {...facts, markers: createEnvMarkers(() => nonce, facts.values), nextId});
};
