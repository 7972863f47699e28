/** What a caller may have of each destination, and of some while every lease there is the caller's. */
type Limits = Readonly<{
	per_destination: number;
	ahead?: Readonly<{destinations: readonly string[]; limit: number}> | undefined;
}>;

/** The leases of a destination that hold now: how many, and how many of them are the caller's. */
export type DestinationLeases = Readonly<{destination_key: string; leased: number; own: number}>;

/** Most leases that the destination may have, the one that is asked for included. */
export const mostLeases = (
	{per_destination, ahead}: Limits,
	{destination_key, leased, own}: DestinationLeases,
): number =>
	ahead !== undefined && own === leased && ahead.destinations.includes(destination_key)
		? Math.max(per_destination, ahead.limit)
		: per_destination;
