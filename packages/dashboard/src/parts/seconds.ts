const units: readonly (readonly [number, string])[] = [
	[86_400, 'day'],
	[3600, 'hour'],
	[60, 'minute'],
	[1, 'second'],
];

/** `90` as `1 minute 30 seconds`. */
export const secondsInWords = (seconds: number): string => {
	let left = Math.round(seconds);
	const parts = units.flatMap(([size, unit]) => {
		const count = Math.floor(left / size);
		left -= count * size;
		return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
	});
	return parts.slice(0, 2).join(' ') || '0 seconds';
};

/** How long something took. */
export const durationInWords = (milliseconds: number): string => {
	if (milliseconds < 1000) return `${milliseconds} ms`;
	return milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(1)} s` : secondsInWords(milliseconds / 1000);
};
