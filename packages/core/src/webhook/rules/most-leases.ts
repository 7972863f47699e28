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

/** Counts what users get of one look for due deliveries. @returns whether that user gets one more, which then counts. */
export const createUserLimits = ({
	user_limits,
}: Readonly<{user_limits?: ReadonlyMap<string, number> | undefined}>): ((user_id: string | undefined) => boolean) => {
	const left = new Map(user_limits);
	return (user_id = '') => {
		const more = left.get(user_id);
		if (more === undefined) return true;
		left.set(user_id, more - 1);
		return more > 0;
	};
};
