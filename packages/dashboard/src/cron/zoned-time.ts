/** Every zone that the browser knows, UTC first. */
export const timeZones = (): readonly string[] => [
	'UTC',
	...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** `Mon, 2 Feb, 09:00`, as the clocks of a zone show it. */
export const zonedTime = (instant: string, timeZone: string): string =>
	new Intl.DateTimeFormat('en-GB', {
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		hour: '2-digit',
		minute: '2-digit',
		timeZone,
	}).format(new Date(instant));
