const inOrder = (...values: readonly number[]): string => [...new Set(values)].sort((a, b) => a - b).join(',');

/** Different expressions, up to 30,000, that are all due at noon of that day of the month (from 1 to 28). */
export const schedulesAtNoon = (day: number, count: number): readonly string[] =>
	Array.from({length: count}, (_, index) => {
		const minute = 1 + (index % 59);
		const hour = 13 + (Math.floor(index / 59) % 11);
		const other = 1 + (Math.floor(index / (59 * 11)) % 28);
		return `${inOrder(0, minute)} ${inOrder(12, hour)} ${inOrder(day, other)} * *`;
	});
