import type {Acceptable, DeduplicationClaim} from '../model/acceptable.ts';
import type {PlannedDelivery} from '../model/delivery.ts';
import type {RestingStatus} from '../model/event.ts';
import type {CompactTrace} from '../model/trace.ts';

/** What is written of an event, once it is known who was first. */
export type AcceptanceDecision = Readonly<{
	/** Null: its deliveries tell. */
	status: RestingStatus | null;
	trace: CompactTrace;
	deliveries: readonly PlannedDelivery[];
	/** Those that are its own from now on. */
	claims: readonly DeduplicationClaim[];
}>;

/**
 * The first claim that is held makes a duplicate of the event: steps behind that one were never reached, those before it
 * were. An event that ends in `pipeline_error` leaves no claim behind, so that it may be sent again.
 */
export const decideAcceptance = (
	{event, claims, outcome}: Pick<Acceptable, 'event' | 'claims' | 'outcome'>,
	isHeld: (claim: DeduplicationClaim) => boolean,
): AcceptanceDecision => {
	const first = claims.findIndex(isHeld);
	const duplicate = claims[first];
	if (duplicate !== undefined)
		return {status: 'duplicate', trace: duplicate.otherwise, deliveries: [], claims: claims.slice(0, first)};
	const {trace} = event;
	if ('deliveries' in outcome) return {status: null, trace, deliveries: outcome.deliveries, claims};
	const {status} = outcome;
	return {status, trace, deliveries: [], claims: status === 'pipeline_error' ? [] : claims};
};
