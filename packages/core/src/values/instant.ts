/** A moment as ISO 8601 in UTC with milliseconds, `2026-01-31T09:30:00.000Z`: instants sort as text. */
export type Instant = string;

export const instantOf = (epochMilliseconds: number): Instant => new Date(epochMilliseconds).toISOString();

/** What was asked about last: a busy process asks again and again about the same moment. */
let lastAsked: Instant = '';
let lastMilliseconds = Number.NaN;

export const millisecondsOf = (instant: Instant): number => {
	if (instant !== lastAsked) {
		lastMilliseconds = Date.parse(instant);
		lastAsked = instant;
	}
	return lastMilliseconds;
};

const secondsAt = 17;

/** From the one to the other; negative when the other came first. Within a minute only its seconds are read. */
export const millisecondsBetween = (from: Instant, to: Instant): number =>
	from.slice(0, secondsAt) === to.slice(0, secondsAt)
		? Math.round((Number(to.slice(secondsAt, -1)) - Number(from.slice(secondsAt, -1))) * 1000)
		: millisecondsOf(to) - millisecondsOf(from);

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
