const batch = 200;
/** More than these wait for the next look: what fails again and again must not keep a loop busy. */
const mostBatches = 50;

/** Whole batches at once, as long as there is more. */
export const drained = async (
	work: (limit: number) => Promise<number>,
	signal: AbortSignal,
	limit = batch,
): Promise<number> => {
	let count = 0;
	for (let round = 0; round < mostBatches && !signal.aborted; round += 1) {
		const done = await work(limit);
		count += done;
		if (done < limit) break;
	}
	return count;
};
