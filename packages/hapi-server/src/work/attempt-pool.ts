import type {AttemptEnd, LeasedDelivery} from '@signalbox/core';

export type AttemptPoolNeeds = Readonly<{
	attempt(delivery: LeasedDelivery, signal: AbortSignal): Promise<AttemptEnd>;
	/** Attempts under way now. */
	countInFlight(count: number): void;
	onEnd(end: AttemptEnd): void;
	onError(error: unknown, delivery: LeasedDelivery): void;
}>;

export type AttemptPoolLimits = Readonly<{
	/** Most attempts under way at once. */
	in_flight: number;
	/** Most bytes of bodies under way at which one more begins. */
	bytes: number;
	/** Most attempts under way to one destination. */
	per_destination: number;
}>;

/** Attempts that are under way, each on its own. */
export type AttemptPool = Readonly<{
	/** How many more may begin. */
	room(): number;
	/** A place for attempts that are not known yet. @returns the function that gives it back. */
	reserve(): () => void;
	/**
	 * Most of one destination that may be leased now: the fewer places are left, the fewer, so that it takes hundreds of
	 * destinations that hang, not a few, until another one finds no place.
	 */
	perDestination(): number;
	begin(delivery: LeasedDelivery): void;
	/** Resolves once none is under way. */
	drained(): Promise<void>;
	/** Gives up what is under way: whether it arrived is unknown then. */
	abandon(): void;
}>;

const sizeOf = ({body, event}: LeasedDelivery): number => (body ?? event.body).bytes.length;

export const createAttemptPool = (needs: AttemptPoolNeeds, limits: AttemptPoolLimits): AttemptPool => {
	const running = new Set<Promise<void>>();
	const end = new AbortController();
	let reserved = 0;
	let bytes = 0;
	const left = () => Math.max(0, limits.in_flight - running.size - reserved);

	const run = async (delivery: LeasedDelivery): Promise<void> => {
		try {
			needs.onEnd(await needs.attempt(delivery, end.signal));
		} catch (error) {
			needs.onError(error, delivery);
		}
	};
	return {
		room: () => (bytes >= limits.bytes ? 0 : left()),
		reserve: () => {
			reserved += 1;
			return () => {
				reserved -= 1;
			};
		},
		perDestination: () => {
			const free = left() / limits.in_flight;
			if (free > 1 / 2) return limits.per_destination;
			return Math.min(limits.per_destination, free > 1 / 4 ? 2 : 1);
		},
		begin: (delivery) => {
			bytes += sizeOf(delivery);
			const attempt = run(delivery).finally(() => {
				bytes -= sizeOf(delivery);
				running.delete(attempt);
				needs.countInFlight(running.size);
			});
			running.add(attempt);
			needs.countInFlight(running.size);
		},
		drained: async () => {
			while (running.size > 0) await Promise.all(running);
		},
		abandon: () => end.abort(),
	};
};
