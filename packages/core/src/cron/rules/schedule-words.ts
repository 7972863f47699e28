import {createScheduleReader, type ScheduleReader} from './schedule-reader.ts';
import {readTimes} from './schedule-time.ts';

export const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export const monthNames = [
	'january',
	'february',
	'march',
	'april',
	'may',
	'june',
	'july',
	'august',
	'september',
	'october',
	'november',
	'december',
] as const;

/** `1st`, `22nd`, `13th`. */
export const ordinalOf = (day: number): string => {
	const isTeen = day > 10 && day < 14;
	return `${day}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][day % 10]) ?? 'th'}`;
};

const ordinals = Array.from({length: 31}, (_, index) => ordinalOf(index + 1));

/** The place of a name, whole or its first three letters. */
const placeOf = (names: readonly string[], word: string): number | undefined => {
	const place = names.findIndex((name) => name === word || name.slice(0, 3) === word);
	return place < 0 ? undefined : place;
};

const weekdayOf = (word: string): number | undefined => placeOf(weekdayNames, word);

const ordinalDayOf = (word: string): string | undefined => {
	const place = ordinals.indexOf(word);
	return place < 0 ? undefined : String(place + 1);
};

/** Day of the month, month and weekday, as cron writes them. */
type Dates = string;

const daily: Dates = '* * *';
const weekly: Dates = '* * 1';
const monthly: Dates = '1 * *';
const yearly: Dates = '1 1 *';

const readWeekday = (reader: ScheduleReader): number => reader.acceptAs(weekdayOf) ?? reader.fail('a weekday');

const weekdays = (reader: ScheduleReader): Dates => `* * ${reader.list(() => readWeekday(reader)).join(',')}`;

const readDay = (reader: ScheduleReader): string =>
	reader.accept('last', 'day')
		? 'l'
		: (reader.acceptAs(ordinalDayOf) ?? reader.fail("a day from 1st to 31st, or 'last day',"));

const monthDays = (reader: ScheduleReader): Dates => {
	reader.accept('the');
	return `${reader.list(() => readDay(reader)).join(',')} * *`;
};

const yearDay = (reader: ScheduleReader): Dates => {
	const month = reader.acceptAs((word) => placeOf(monthNames, word)) ?? reader.fail('a month');
	const day = reader.acceptAs(ordinalDayOf) ?? reader.fail('a day from 1st to 31st');
	return `${day} ${month + 1} *`;
};

const at = (reader: ScheduleReader, dates: Dates): string => {
	const {minute, hours} = readTimes(reader);
	return `${minute} ${hours.join(',')} ${dates}`;
};

const hourly = (reader: ScheduleReader): string => {
	if (!reader.accept('at')) return `0 * ${daily}`;
	if (!reader.accept('minute')) return reader.fail("'minute'");
	const isMinute = (word: string) => /^\d{1,2}$/.test(word) && Number(word) < 60;
	const minute = reader.acceptAs((word) => (isMinute(word) ? Number(word) : undefined));
	return `${minute ?? reader.fail('a minute from 0 to 59')} * ${daily}`;
};

const wholeNumber = (word: string): number | undefined => (/^[1-9]\d{0,3}$/.test(word) ? Number(word) : undefined);

/** Steps that do not divide their whole would be uneven: 55 minutes, then 5. */
const requireDivisor = (count: number, whole: number, unit: string): number => {
	if (whole % count === 0) return count;
	const divisors = Array.from({length: whole}, (_, index) => index + 1).filter((each) => whole % each === 0);
	throw new SyntaxError(
		`Every ${count} ${unit} would not be even, since ${count} does not divide ${whole}: choose ${divisors.join(', ')}.`,
	);
};

const everyNth = (reader: ScheduleReader, count: number): string => {
	if (count === 1 && reader.accept('minute')) return `* * ${daily}`;
	if (reader.accept('minutes')) return `*/${requireDivisor(count, 60, 'minutes')} * ${daily}`;
	if (reader.accept('hours')) return `0 */${requireDivisor(count, 24, 'hours')} ${daily}`;
	return reader.fail("'minutes' or 'hours'");
};

type Phrase = (reader: ScheduleReader) => string;

const periods: Readonly<Record<string, Phrase>> = {
	minute: () => `* * ${daily}`,
	hour: hourly,
	day: (reader) => at(reader, daily),
	weekday: (reader) => at(reader, '* * 1-5'),
	weekend: (reader) => at(reader, '* * 0,6'),
	week: (reader) => at(reader, reader.accept('on') ? weekdays(reader) : weekly),
	month: (reader) => at(reader, reader.accept('on') ? monthDays(reader) : monthly),
	year: (reader) => at(reader, reader.accept('on') ? yearDay(reader) : yearly),
};

const adverbs: Readonly<Record<string, Phrase>> = {
	daily: (reader) => at(reader, daily),
	// Of the times only the minute can matter.
	hourly: (reader) => `${readTimes(reader).minute} * ${daily}`,
	weekly: (reader) => at(reader, weekly),
	monthly: (reader) => at(reader, monthly),
	yearly: (reader) => at(reader, yearly),
};

const phraseIn = (phrases: Readonly<Record<string, Phrase>>, reader: ScheduleReader): Phrase | undefined =>
	reader.acceptAs((word) => (Object.hasOwn(phrases, word) ? phrases[word] : undefined));

const every = (reader: ScheduleReader): string => {
	const count = reader.acceptAs(wholeNumber);
	if (count !== undefined) return everyNth(reader, count);
	const period = phraseIn(periods, reader);
	return period ? period(reader) : at(reader, weekdays(reader));
};

/**
 * Reads the closed grammar of words (decisions, "Schedules") and nothing else: a guessed schedule is worse than none.
 *
 * @param text in lower case, words divided by single spaces.
 * @returns a cron expression, not yet canonical.
 * @throws SyntaxError with the reason for people.
 */
export const readScheduleWords = (text: string): string => {
	const reader = createScheduleReader(text);
	const phrase = reader.accept('every') ? every : (phraseIn(adverbs, reader) ?? reader.fail("'every' or 'daily'"));
	const expression = phrase(reader);
	return reader.hasMore() ? reader.fail('the end') : expression;
};
