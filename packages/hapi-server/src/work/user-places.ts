/** How many times as many places as are free one user may have: one alone, all but an eighth. */
const share = 7;

/** How many places more a user may take who has so many, while so many are free. */
export const morePlaces = (held: number, free: number): number =>
	Math.max(0, Math.ceil((share * free - held) / (share + 1)));

/** Places, and bytes of what has them. */
export type Held = Readonly<{places: number; bytes: number}>;

const moreOf = (held: Held, free: Held): number =>
	// Who holds nothing may begin: what one body more takes is bounded by `room`.
	held.bytes > 0 && held.bytes >= share * free.bytes ? 0 : morePlaces(held.places, free.places);

/**
 * The places that users have. The fewer are free, the fewer may one of them have: one whose attempts never end leaves some
 * to others, and several come to have as many as each other. So it is with bytes: a few large bodies would do as well.
 */
export type UserPlaces = Readonly<{
	/** How many more that user may take now. */
	more(user_id: string): number;
	/** Takes so many, with so many bytes in all, or gives back a negative number of them. */
	take(user_id: string, places: number, bytes?: number): void;
	/** How many more each user may take who may take fewer than so many. */
	below(count: number): ReadonlyMap<string, number>;
}>;

const nothing: Held = {places: 0, bytes: 0};

/** @param free what nobody has. */
export const createUserPlaces = (free: () => Held): UserPlaces => {
	const users = new Map<string, Held>();
	const heldBy = (user_id: string) => users.get(user_id) ?? nothing;
	return {
		more: (user_id) => moreOf(heldBy(user_id), free()),
		take: (user_id, more, bytes = 0) => {
			const held = heldBy(user_id);
			const places = held.places + more;
			if (places > 0) users.set(user_id, {places, bytes: held.bytes + bytes});
			else users.delete(user_id);
		},
		below: (count) => {
			const left = free();
			const limits = new Map<string, number>();
			for (const [user_id, held] of users) {
				const more = moreOf(held, left);
				if (more < count) limits.set(user_id, more);
			}
			return limits;
		},
	};
};
