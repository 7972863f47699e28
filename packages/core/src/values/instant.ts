/** A moment as ISO 8601 in UTC with milliseconds, `2026-01-31T09:30:00.000Z`: instants sort as text. */
export type Instant = string;

export const instantOf = (epochMilliseconds: number): Instant => new Date(epochMilliseconds).toISOString();

/** Where the seconds begin in `2026-01-31T09:30:00.000Z`. */
const secondsAt = 17;

/** The minute that was asked about last: a busy process asks again and again about the same one. */
let lastMinute = 'none';
let lastMinuteMilliseconds = Number.NaN;

const places = [10_000, 1000, 0, 100, 10, 1];

/** What the seconds say. Undefined when they are not written as ours are. */
const millisecondsInMinute = (instant: Instant): number | undefined => {
	if (instant.length !== 24 || instant[19] !== '.' || instant[23] !== 'Z') return undefined;
	let sum = 0;
	for (let place = 0; place < places.length; place += 1) {
		const digit = instant.charCodeAt(secondsAt + place) - 0x30;
		if (place !== 2 && (digit < 0 || digit > 9)) return undefined;
		sum += digit * (places[place] ?? 0);
	}
	return sum < 60_000 ? sum : undefined;
};

/** Within a minute only the seconds are read: reading it all takes ten times as long. */
export const millisecondsOf = (instant: Instant): number => {
	const seconds = millisecondsInMinute(instant);
	if (seconds === undefined) return Date.parse(instant);
	if (!instant.startsWith(lastMinute)) {
		lastMinuteMilliseconds = Date.parse(instant) - seconds;
		lastMinute = instant.slice(0, secondsAt);
	}
	return lastMinuteMilliseconds + seconds;
};

/** From the one to the other; negative when the other came first. */
export const millisecondsBetween = (from: Instant, to: Instant): number =>
	from === to ? 0 : millisecondsOf(to) - millisecondsOf(from);

export const plusSeconds = (instant: Instant, seconds: number): Instant =>
	instantOf(millisecondsOf(instant) + seconds * 1000);

/** The UTC hour that holds the instant, `2026-01-31T09:00:00.000Z`. */
export const hourOf = (instant: Instant): Instant => `${instant.slice(0, 13)}:00:00.000Z`;

/** The UTC calendar month that holds the instant, `2026-01`. */
export const monthOf = (instant: Instant): string => instant.slice(0, 7);

/** When the UTC calendar month after that of the instant begins. */
export const nextMonthOf = (instant: Instant): Instant => {
	const [year = 0, month = 0] = monthOf(instant).split('-').map(Number);
	// Months count from 0 here.
	return instantOf(Date.UTC(year, month, 1));
};

/** Whole seconds, rounded up, and none when `to` is past. */
export const secondsBetween = (from: Instant, to: Instant): number =>
	Math.max(0, Math.ceil((millisecondsOf(to) - millisecondsOf(from)) / 1000));
