import type {AttemptEnd, LeasedDelivery, LeasesAhead} from '@signalbox/core';
import {createDestinationLanes, type DestinationLanes, type LaneLimits} from './destination-lanes.ts';

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
		/** Most bytes of bodies held at which one more is taken. */
		bytes: number;
	}>;

/** What may be leased for the pool now. */
export type PoolLeases = Readonly<{per_destination: number; ahead: Omit<LeasesAhead, 'holder'>}>;

/** Attempts that are under way, each on its own, and deliveries that wait for a place at their destination. */
export type AttemptPool = Readonly<{
	/** How many more may begin. */
	room(): number;
	/** A place for attempts that are not known yet. @returns the function that gives it back. */
	reserve(): () => void;
	/**
	 * Most of one destination that may be leased now: the fewer places are left, the fewer, so that it takes hundreds of
	 * destinations that hang, not a few, until another one finds no place.
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

export const createAttemptPool = (needs: AttemptPoolNeeds, limits: AttemptPoolLimits): AttemptPool => {
	const running = new Set<Promise<void>>();
	const end = new AbortController();
	let reserved = 0;
	let bytes = 0;

	const start = (delivery: LeasedDelivery): void => {
		const attempt = runAttempt(needs, delivery, {lanes, signal: end.signal}).finally(() => {
			bytes -= sizeOf(delivery);
			running.delete(attempt);
			needs.countInFlight(running.size);
		});
		running.add(attempt);
		needs.countInFlight(running.size);
	};
	const lanes = createDestinationLanes<LeasedDelivery>(limits, start, needs.now);
	const left = () => Math.max(0, limits.in_flight - running.size - lanes.waiting() - reserved);
	const {per_destination, leases_ahead: limit} = limits;
	return {
		room: () => (bytes >= limits.bytes ? 0 : left()),
		reserve: () => {
			reserved += 1;
			return () => {
				reserved -= 1;
			};
		},
		leases: () => {
			const free = left() / limits.in_flight;
			if (free > 1 / 2) return {per_destination, ahead: {destinations: lanes.ahead(), limit}};
			return {
				per_destination: Math.min(per_destination, free > 1 / 4 ? 2 : 1),
				ahead: {destinations: none, limit},
			};
		},
		begin: (delivery) => {
			bytes += sizeOf(delivery);
			if (lanes.enter(delivery)) start(delivery);
		},
		giveBack: (all) => {
			const back = lanes.giveBack(all);
			for (const delivery of back) bytes -= sizeOf(delivery);
			return back;
		},
		drained: async () => {
			while (running.size > 0) await Promise.all(running);
		},
		abandon: () => end.abort(),
	};
};
