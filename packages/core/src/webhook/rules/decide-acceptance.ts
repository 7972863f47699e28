import type {RestingStatus} from '../model/event.ts';

/** An `Acceptable`, in whatever form a store writes its parts down. */
export type Undecided<Trace, Claim, Delivery> = Readonly<{
	event: Readonly<{trace: Trace}>;
	claims: readonly (Claim & Readonly<{otherwise: Trace}>)[];
	outcome: Readonly<{status: RestingStatus}> | Readonly<{deliveries: readonly Delivery[]}>;
}>;

/** What is written of an event, once it is known who was first. */
export type AcceptanceDecision<Trace, Claim, Delivery> = Readonly<{
	/** Null: its deliveries tell. */
	status: RestingStatus | null;
	trace: Trace;
	deliveries: readonly Delivery[];
	/** Those that are its own from now on. */
	claims: readonly Claim[];
}>;

/**
 * The first claim that is held makes a duplicate of the event: steps behind that one were never reached, those before it
 * were. An event that ends in `pipeline_error` leaves no claim behind, so that it may be sent again.
 */
export const decideAcceptance = <Trace, Claim, Delivery>(
	{event, claims, outcome}: Undecided<Trace, Claim, Delivery>,
	isHeld: (claim: Claim) => boolean,
): AcceptanceDecision<Trace, Claim, Delivery> => {
	const first = claims.findIndex(isHeld);
	const duplicate = claims[first];
	if (duplicate !== undefined)
		return {status: 'duplicate', trace: duplicate.otherwise, deliveries: [], claims: claims.slice(0, first)};
	const {trace} = event;
	if ('deliveries' in outcome) return {status: null, trace, deliveries: outcome.deliveries, claims};
	const {status} = outcome;
	return {status, trace, deliveries: [], claims: status === 'pipeline_error' ? [] : claims};
};
