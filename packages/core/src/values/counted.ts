/** `1 header`, `2 headers`. */
export const counted = (number: number | bigint, noun: string, plural = `${noun}s`): string =>
	`${number} ${Number(number) === 1 ? noun : plural}`;
