import type {LeasesAhead} from '@signalbox/core';

/** Times are milliseconds. */
export type LaneLimits = Readonly<{
	/** Most requests under way at once to one destination. */
	per_destination: number;
	/** Most leases of one destination, while its answers are quick: those that wait for their commits are among them. */
	leases_ahead: number;
	/** How soon a request must end for its destination to count as quick, and for how long it then does. */
	quick: number;
	/** How long a delivery waits for a place at its destination before it is given back. */
	patience: number;
}>;

/** Something that is leased, by its destination. */
type Leased = Readonly<{destination_key: string}>;

type Waiting<T> = Readonly<{leased: T; since: number}>;

type Lane<T> = {
	/** Requests under way. */
	sending: number;
	/** Leases, waiting, sending or being settled. */
	held: number;
	readonly waiting: Waiting<T>[];
	/** When a request last ended quickly. */
	quick_at: number;
	/** When it last had so many leases that more might be worth having. */
	busy_at: number;
};

/** The destinations of what this process holds: who is sent to them now, and who waits for a place there. */
export type DestinationLanes<T> = Readonly<{
	/** Takes a place at its destination; false when there is none, then it waits, and `begin` hears of it later. */
	enter(leased: T): boolean;
	/** The request has ended, having taken so long: whoever waits longest begins. Milliseconds. */
	leave(leased: T, took: number): void;
	/** The lease has ended. */
	drop(leased: T): void;
	/** How many wait. */
	waiting(): number;
	/** Takes out those that wait for too long, or all. */
	giveBack(all?: boolean): readonly T[];
	/** Destinations that may have leases ahead. */
	ahead(): LeasesAhead['destinations'];
}>;

/** For how long what `ahead` answered is answered again: it is asked for each webhook. Milliseconds. */
const lookEvery = 100;

const never = Number.NEGATIVE_INFINITY;

/** The lanes that are in use, or were just now. */
const createLaneTable = <T extends Leased>(limits: LaneLimits, now: () => number) => {
	const lanes = new Map<string, Lane<T>>();
	let known: Readonly<{at: number; destinations: readonly string[]}> = {at: never, destinations: []};
	const isRecent = (at: number) => now() - at < limits.quick;
	const readAhead = (): readonly string[] => {
		const destinations: string[] = [];
		for (const [key, lane] of lanes) {
			if (isRecent(lane.quick_at) && isRecent(lane.busy_at)) destinations.push(key);
			else if (lane.held === 0 && !isRecent(lane.quick_at)) lanes.delete(key);
		}
		return destinations;
	};
	return {
		lanes,
		laneOf: ({destination_key}: T): Lane<T> => {
			const lane = lanes.get(destination_key) ?? {sending: 0, held: 0, waiting: [], quick_at: never, busy_at: never};
			lanes.set(destination_key, lane);
			return lane;
		},
		ahead: (): readonly string[] => {
			if (now() - known.at >= lookEvery || now() < known.at) known = {at: now(), destinations: readAhead()};
			return known.destinations;
		},
	};
};

/** @param begin is called with whoever waited, once there is a place. @param now milliseconds. */
export const createDestinationLanes = <T extends Leased>(
	limits: LaneLimits,
	begin: (leased: T) => void,
	now: () => number,
): DestinationLanes<T> => {
	const {lanes, laneOf, ahead} = createLaneTable<T>(limits, now);
	let waitingInAll = 0;
	return {
		enter: (leased) => {
			const lane = laneOf(leased);
			lane.held += 1;
			if (2 * lane.held >= limits.per_destination) lane.busy_at = now();
			if (lane.sending < limits.per_destination) {
				lane.sending += 1;
				return true;
			}
			lane.waiting.push({leased, since: now()});
			waitingInAll += 1;
			return false;
		},
		leave: (leased, took) => {
			const lane = laneOf(leased);
			if (took < limits.quick) lane.quick_at = now();
			const next = lane.waiting.shift();
			if (next === undefined) lane.sending -= 1;
			else {
				waitingInAll -= 1;
				begin(next.leased);
			}
		},
		drop: (leased) => {
			laneOf(leased).held -= 1;
		},
		waiting: () => waitingInAll,
		giveBack: (all = false) => {
			const back: T[] = [];
			if (waitingInAll === 0) return back;
			for (const lane of lanes.values()) {
				const stays = all ? -1 : lane.waiting.findIndex(({since}) => now() - since < limits.patience);
				const gone = lane.waiting.splice(0, stays === -1 ? lane.waiting.length : stays);
				lane.held -= gone.length;
				waitingInAll -= gone.length;
				back.push(...gone.map(({leased}) => leased));
			}
			return back;
		},
		ahead,
	};
};
