import type {AttemptEnd, LeasedDelivery, LeasesAhead} from '@signalbox/core';
import {createDestinationLanes, type DestinationLanes, type LaneLimits} from './destination-lanes.ts';
import {createUserPlaces} from './user-places.ts';

export type AttemptPoolNeeds = Readonly<{
	/** `leave` is called once the request has ended, or at the end. */
	attempt(delivery: LeasedDelivery, leave: () => void, signal: AbortSignal): Promise<AttemptEnd>;
	/** Attempts under way now. */
	countInFlight(count: number): void;
	onEnd(end: AttemptEnd): void;
	onError(error: unknown, delivery: LeasedDelivery): void;
	/** Milliseconds. */
	now(): number;
}>;

export type AttemptPoolLimits = LaneLimits &
	Readonly<{
		/** Most deliveries held at once: attempts under way, and those that wait for a place at their destination. */
		in_flight: number;
		/** Most bytes of bodies held. Up to twice as many one more is taken at a time, of users who hold none. */
		bytes: number;
	}>;

/** What may be leased for the pool now of one destination. */
export type PoolLeases = Readonly<{per_destination: number; ahead: Omit<LeasesAhead, 'holder'>}>;

/** Places that are kept for attempts that are not known yet. */
export type KeptPlaces = Readonly<{count: number; giveBack(): void}>;

/** Attempts that are under way, each on its own, and deliveries that wait for a place at their destination. */
export type AttemptPool = Readonly<{
	/** How many more may begin. */
	room(): number;
	/** Keeps up to so many places for that user, as many as there are for it. */
	reserve(user_id: string, count: number): KeptPlaces;
	/** Most of users who may not have as many more. */
	userLimits(count: number): ReadonlyMap<string, number>;
	/**
	 * Most of one destination that may be leased now: the fewer places are left, the fewer, so that it takes more than a
	 * hundred destinations that hang, not a few, until another one of the same user finds no place.
	 */
	leases(): PoolLeases;
	begin(delivery: LeasedDelivery): void;
	/** Takes out what waits too long for its destination, or everything that waits: it has not begun. */
	giveBack(all?: boolean): readonly LeasedDelivery[];
	/** Resolves once no attempt is under way. */
	drained(): Promise<void>;
	/** Gives up what is under way: whether it arrived is unknown then. */
	abandon(): void;
}>;

const sizeOf = ({body, event}: LeasedDelivery): number => (body ?? event.body).bytes.length;

const none: readonly string[] = [];

/** Makes an attempt, whatever comes of it; its place at the destination is free once the request has ended. */
const runAttempt = async (
	{attempt, onEnd, onError, now}: AttemptPoolNeeds,
	delivery: LeasedDelivery,
	{lanes, signal}: Readonly<{lanes: DestinationLanes<LeasedDelivery>; signal: AbortSignal}>,
): Promise<void> => {
	const began = now();
	let hasLeft = false;
	const leave = () => {
		if (!hasLeft) lanes.leave(delivery, now() - began);
		hasLeft = true;
	};
	try {
		onEnd(await attempt(delivery, leave, signal));
	} catch (error) {
		onError(error, delivery);
	}
	leave();
	lanes.drop(delivery);
};

/** @param free of all places, from 0 to 1. */
const leasesAt = (
	free: number,
	{per_destination, leases_ahead: limit}: LaneLimits,
	lanes: Pick<DestinationLanes<LeasedDelivery>, 'ahead'>,
): PoolLeases => {
	if (free > 1 / 2) return {per_destination, ahead: {destinations: lanes.ahead(), limit}};
	return {per_destination: Math.min(per_destination, free > 1 / 4 ? 2 : 1), ahead: {destinations: none, limit}};
};

/** What is held and what is kept for more. @param held how many deliveries. */
const createHoldings = ({in_flight, bytes: most}: AttemptPoolLimits, held: () => number) => {
	let reserved = 0;
	let bytes = 0;
	const left = () => Math.max(0, in_flight - held() - reserved);
	const users = createUserPlaces(() => ({places: left(), bytes: most - bytes}));
	const keep = (user_id: string, count: number): void => {
		reserved += count;
		users.take(user_id, count);
	};
	const move = (delivery: LeasedDelivery, count: 1 | -1): void => {
		const size = count * sizeOf(delivery);
		bytes += size;
		users.take(delivery.user_id, count, size);
	};
	const room = () => {
		if (bytes < most) return left();
		return bytes < 2 * most ? Math.min(1, left()) : 0;
	};
	return {
		left,
		room,
		add: (delivery: LeasedDelivery): void => move(delivery, 1),
		drop: (delivery: LeasedDelivery): void => move(delivery, -1),
		reserve: (user_id: string, wanted: number): KeptPlaces => {
			const count = Math.min(wanted, room(), users.more(user_id));
			keep(user_id, count);
			return {count, giveBack: () => keep(user_id, -count)};
		},
		userLimits: users.below,
	};
};

export const createAttemptPool = (needs: AttemptPoolNeeds, limits: AttemptPoolLimits): AttemptPool => {
	const running = new Set<Promise<void>>();
	const end = new AbortController();

	const start = (delivery: LeasedDelivery): void => {
		const attempt = runAttempt(needs, delivery, {lanes, signal: end.signal}).finally(() => {
			holdings.drop(delivery);
			running.delete(attempt);
			needs.countInFlight(running.size);
		});
		running.add(attempt);
		needs.countInFlight(running.size);
	};
	const lanes = createDestinationLanes<LeasedDelivery>(limits, start, needs.now);
	const holdings = createHoldings(limits, () => running.size + lanes.waiting());
	return {
		room: holdings.room,
		reserve: holdings.reserve,
		userLimits: holdings.userLimits,
		leases: () => leasesAt(holdings.left() / limits.in_flight, limits, lanes),
		begin: (delivery) => {
			holdings.add(delivery);
			if (lanes.enter(delivery)) start(delivery);
		},
		giveBack: (all) => {
			const back = lanes.giveBack(all);
			back.forEach(holdings.drop);
			return back;
		},
		drained: async () => {
			while (running.size > 0) await Promise.all(running);
		},
		abandon: () => end.abort(),
	};
};
