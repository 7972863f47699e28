const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const time = '(?<time>\\d\\d:\\d\\d:\\d\\d)';

/** The three forms of an HTTP date (RFC 9110, 5.6.7): the one to send, that of RFC 850, and that of C's asctime. */
const dates: readonly RegExp[] = [
	new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${time} GMT$`),
	new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${time} GMT$`),
	new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/** Two digits are of the century that puts them nearest; nobody asks to be called in the last one. */
const fullYear = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year));

const epochSecondsOf = (text: string): number | undefined => {
	const parts = dates.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
	if (parts === undefined) return undefined;
	const [hour = 0, minute = 0, second = 0] = (parts.time ?? '').split(':').map(Number);
	const month = months.indexOf(parts.month ?? '');
	if (month === -1) return undefined;
	return Date.UTC(fullYear(parts.year ?? ''), month, Number(parts.day), hour, minute, second) / 1000;
};

/**
 * Seconds that a `Retry-After` asks for, or null when it says nothing that can be read.
 * @param now epoch seconds.
 */
export const retryAfterSeconds = (field: string | undefined, now: number): number | null => {
	const text = field?.trim() ?? '';
	if (/^\d+$/.test(text)) return Number(text);
	const then = epochSecondsOf(text);
	return then === undefined ? null : Math.max(0, then - now);
};
