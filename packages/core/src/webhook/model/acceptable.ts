import type {PlannedDelivery} from './delivery.ts';
import type {NewEvent, RestingStatus} from './event.ts';
import type {CompactTrace} from './trace.ts';

/** A value that a deduplicate step looks for. */
export type DeduplicationClaim = Readonly<{
	middleware_id: string;
	/** SHA-256 of the value. */
	digest: string;
	ttl_seconds: number;
	/** The trace when somebody was first. */
	otherwise: CompactTrace;
}>;

/** All that accepting a webhook writes. */
export type Acceptable = Readonly<{
	event: NewEvent;
	/** In the order of the steps, one for each. */
	claims: readonly DeduplicationClaim[];
	/** What becomes of it when nobody holds any of its claims. Deliveries: at least one. */
	outcome: Readonly<{status: RestingStatus}> | Readonly<{deliveries: readonly PlannedDelivery[]}>;
	/** Whether it is one of the user's events of the month: notices, which are ours, are not. */
	is_counted: boolean;
	/** Events of the user in this UTC month, by the store's clock, may not exceed it; null: no limit. */
	monthly_limit: number | null;
}>;
