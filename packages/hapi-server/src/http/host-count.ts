/** How many `Host` headers came: names and values stand in turn. */
export const hostCount = (rawHeaders: readonly string[]): number => {
	let count = 0;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at];
		if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
	}
	return count;
};
