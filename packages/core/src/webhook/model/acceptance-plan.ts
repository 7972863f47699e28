import type {PlannedDelivery} from './delivery.ts';
import type {EnvValues} from './env-values.ts';
import type {NewEvent, RestingStatus} from './event.ts';
import type {CompactTrace} from './trace.ts';

/** A value that a deduplicate step looks for, and the trace if somebody was first with it. */
export type PipelineClaim = Readonly<{
	middleware_id: string;
	value: string;
	ttl_seconds: number;
	otherwise: CompactTrace['pipeline'];
}>;

/** What becomes of a webhook, all of it: what a store writes down, or a dry run shows. */
export type AcceptancePlan = Readonly<{
	trace: CompactTrace;
	processed: NewEvent['processed'];
	claims: readonly PipelineClaim[];
	outcome: Readonly<{status: RestingStatus}> | Readonly<{deliveries: readonly PlannedDelivery[]}>;
}>;

/** What a plan depends on besides the endpoint and the webhook. */
export type PlanFacts = Readonly<{
	event: Readonly<{id: string; created_at: string}>;
	values: EnvValues;
	/** Deduplicate steps let a replay pass. */
	is_replay: boolean;
}>;
