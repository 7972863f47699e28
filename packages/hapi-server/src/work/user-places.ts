/** How many times as many places as are free one user may have: one alone, all but an eighth. */
const share = 7;

/** How many places more a user may take who has so many, while so many are free. */
export const morePlaces = (held: number, free: number): number =>
	Math.max(0, Math.ceil((share * free - held) / (share + 1)));

/**
 * The places that users have. The fewer are free, the fewer may one of them have: one whose attempts never end leaves some
 * to others, and several come to have as many as each other.
 */
export type UserPlaces = Readonly<{
	/** How many more that user may take now. */
	more(user_id: string): number;
	/** Takes so many, or gives back a negative number of them. */
	take(user_id: string, count: number): void;
	/** How many more each user may take who may take fewer than so many. */
	below(count: number): ReadonlyMap<string, number>;
}>;

/** @param free how many places nobody has. */
export const createUserPlaces = (free: () => number): UserPlaces => {
	const places = new Map<string, number>();
	const heldBy = (user_id: string) => places.get(user_id) ?? 0;
	return {
		more: (user_id) => morePlaces(heldBy(user_id), free()),
		take: (user_id, count) => {
			const held = heldBy(user_id) + count;
			if (held > 0) places.set(user_id, held);
			else places.delete(user_id);
		},
		below: (count) => {
			const left = free();
			const limits = new Map<string, number>();
			for (const [user_id, held] of places) {
				const more = morePlaces(held, left);
				if (more < count) limits.set(user_id, more);
			}
			return limits;
		},
	};
};
