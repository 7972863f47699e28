/** A database that a case has for itself, and leaves to the next one. */
export type EmptyablePlace = Readonly<{
	/** Deletes every row, and leaves what says how far it is migrated. */
	empty(): Promise<void>;
	remove(): Promise<void>;
}>;

export type Places<P extends EmptyablePlace> = Readonly<{
	/** An empty one, once one is free. */
	take(): Promise<P>;
	giveBack(place: P): Promise<void>;
	/** To be called after the last case. */
	removeAll(): Promise<void>;
}>;

/** The databases of one test file, made when they are needed: so many cases run at once. */
export const createPlaces = <P extends EmptyablePlace>(most: number, make: () => Promise<P>): Places<P> => {
	let made = 0;
	const free: P[] = [];
	const waiting: (() => void)[] = [];
	/** One that cannot be used is as if it had never been made. */
	const orWithout = async <T>(work: () => Promise<T>): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			made -= 1;
			waiting.shift()?.();
			throw error;
		}
	};
	return {
		take: async () => {
			while (free.length === 0 && made === most) await new Promise<void>((resolve) => waiting.push(resolve));
			const place = free.pop();
			if (place) return place;
			made += 1;
			return orWithout(make);
		},
		giveBack: async (place) => {
			await orWithout(place.empty);
			free.push(place);
			waiting.shift()?.();
		},
		removeAll: async () => {
			await Promise.all(free.splice(0).map(async (place) => place.remove()));
		},
	};
};
