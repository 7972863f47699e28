import type {Ports} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import {renewEveryMs} from './attendance.ts';

/** Approvals whose attendance ran out and stays so although it could be renewed. */
export type LastingLapses = Readonly<{
	/**
	 * Looks once. @returns ids of those that each look has found lapsed for longer than a process takes to renew, since the
	 * store answers: one that was away let the attendance of everybody run out.
	 */
	look(): Promise<readonly string[]>;
}>;

/** Three renewals: the first may be held up by a connection that the outage left behind. */
const patienceMs = 3 * renewEveryMs;

/** Between two looks that were further apart nobody knows whether the store was there. */
const mostBetweenLooksMs = renewEveryMs;

const watchedAtOnce = 10_000;

export const createLastingLapses = ({attendance, clock}: Pick<Ports, 'attendance' | 'clock'>): LastingLapses => {
	let since: ReadonlyMap<string, number> = new Map();
	let lookedAt = Number.NEGATIVE_INFINITY;
	const lastingAmong = (ids: readonly string[], now: number): readonly string[] => {
		const isSteady = now >= lookedAt && now - lookedAt <= mostBetweenLooksMs;
		const known = isSteady ? since : new Map<string, number>();
		since = new Map(ids.map((id) => [id, known.get(id) ?? now]));
		lookedAt = now;
		return ids.filter((id) => now - (since.get(id) ?? now) > patienceMs);
	};
	return {
		look: async () => {
			try {
				return lastingAmong(await attendance.lapsed(watchedAtOnce), millisecondsOf(clock.now()));
			} catch (error) {
				since = new Map();
				throw error;
			}
		},
	};
};
