import {createUserLimits, type DestinationLeases, type LeaseRequest, mostLeases} from '@signalbox/core';
import {availableAt, type Lane} from './lanes.ts';

/** A destination that may have another delivery, and the lanes in which one is due of users who may, too. */
export type OpenDestination = DestinationLeases &
	Readonly<{
		/** Those that wait longest first; at least one. */
		lanes: readonly Lane[];
	}>;

/** How many deliveries it may have besides. */
export const placesOf = (destination: DestinationLeases, request: LeaseRequest): number =>
	mostLeases(request, destination) - destination.leased;

const since = (lane: Lane | undefined): string => (lane && availableAt(lane)) ?? '';

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Those with the fewest under way first, then those that wait longest. */
const byTurn = (a: OpenDestination, b: OpenDestination): number =>
	a.leased - b.leased || compare(since(a.lanes[0]), since(b.lanes[0])) || compare(a.destination_key, b.destination_key);

/** As many destinations as deliveries are asked for, in their turns. */
export const nextDestinations = (
	lanes: readonly Lane[],
	request: LeaseRequest,
	now: string,
): readonly OpenDestination[] => {
	const {user_limits, attempt_ids} = request;
	const mayGo = (lane: Lane) => {
		const at = since(lane);
		return at !== '' && at <= now && placesOf(lane, request) > 0 && user_limits?.get(lane.user_id ?? '') !== 0;
	};
	const waiting = lanes.filter(mayGo).sort((a, b) => compare(since(a), since(b)));
	const mayHave = createUserLimits(request);
	return Array.from(Map.groupBy(waiting, ({destination_key}) => destination_key).values())
		.flatMap((of) => (of[0] ? [{...leasesOf(of[0]), lanes: of}] : []))
		.sort(byTurn)
		.filter((destination) => mayHave(destination.lanes[0]?.user_id))
		.slice(0, attempt_ids.length);
};

const leasesOf = ({destination_key, leased, own}: DestinationLeases): DestinationLeases => ({
	destination_key,
	leased,
	own,
});
