/** Whole numbers from 0 up to, not including, `below`: the same ones for the same seed. */
export const pickFrom = (seed: number) => {
	let state = seed;
	return (below: number): number => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) % below;
	};
};
