/** How many checks passed and failed. */
export type Totals = Readonly<{passed: number; failed: number}>;

/** The line that `npm test`, `npm run check` and `.ci/run` end with. */
export const formatTotals = ({passed, failed}: Totals): string => `${passed} passed, ${failed} failed`;

/** Reads the last line of the output. @returns undefined when it is no totals line. */
export const readTotals = (output: string): Totals | undefined => {
	const match = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1) ?? '');
	return match ? {passed: Number(match[1]), failed: Number(match[2])} : undefined;
};
