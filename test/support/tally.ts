/** How often each name is there. */
export const tally = <Name extends string>(names: readonly Name[]): Partial<Record<Name, number>> => {
	const counts: Partial<Record<Name, number>> = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
};
