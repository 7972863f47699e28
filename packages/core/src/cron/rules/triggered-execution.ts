/** What an event came to that rests there; null: it is delivered. Those that were not let through start nothing. */
export const startsChains = (resting_status: string | null): boolean =>
	resting_status === null || resting_status === 'unmatched';

/** Odd, so that no two events of a chain share an answer. */
const spread = 0x9e37_79b9_7f4bn;
const bits = 48;

/**
 * The id of the execution of that chain that a webhook event starts: wherever and however often the event is accepted, the
 * same. UUIDv7 of the event's time, from two of them.
 */
export const triggeredExecutionId = (event_id: string, chain_id: string): string => {
	const tail = (id: string) => BigInt(`0x${id.slice(24)}`);
	const mixed = BigInt.asUintN(bits, tail(event_id) * spread + tail(chain_id));
	return `${event_id.slice(0, 24)}${mixed.toString(16).padStart(bits / 4, '0')}`;
};
