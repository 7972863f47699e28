const units: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
	[86_400, 'day'],
	[3600, 'hour'],
	[60, 'minute'],
];
const relative = new Intl.RelativeTimeFormat('en', {numeric: 'auto', style: 'short'});

/** `5 min. ago`. @param at milliseconds. */
export const inWords = (at: number, from: number): string => {
	const seconds = Math.round((at - from) / 1000);
	const [size, unit] = units.find(([length]) => Math.abs(seconds) >= length) ?? [1, 'second'];
	return Math.abs(seconds) < 5 ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
};

const two = (value: number): string => String(value).padStart(2, '0');

/** `4:59`, `1:02:03`; `0:00` when it is over. */
export const countdownText = (milliseconds: number): string => {
	const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	const rest = two(seconds % 60);
	return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
};
