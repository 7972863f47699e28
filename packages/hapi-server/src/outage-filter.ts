const quietMs = 10_000;

/** Most reasons that are told in that time: where they differ each time, telling each would fill the log all the same. */
const mostReasons = 5;

/** The error behind it that was there first: it says what failed. */
export const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

/** Passes each reason of an outage once in ten seconds: whatever is tried meanwhile fails by the same. */
export const createOutageFilter = () => {
	const told = new Set<string>();
	let since = Number.NEGATIVE_INFINITY;
	return (error: Error): boolean => {
		const now = performance.now();
		if (now - since >= quietMs) {
			since = now;
			told.clear();
		}
		const {message} = rootOf(error);
		if (told.has(message) || told.size >= mostReasons) return false;
		told.add(message);
		return true;
	};
};
