import {type MonthDays, normalizeDays, withoutEmptyMonths} from './cron-days.ts';
import {dayRule, type Field, hourRule, listText, minuteRule, monthRule, readField, stepText} from './cron-field.ts';
import {everyOccurrence, readWeekdays, type Weekdays, weekdayText} from './cron-weekdays.ts';

/** What a cron expression says. */
export type Schedule = Readonly<{
	minutes: readonly number[];
	hours: readonly number[];
	/** Minute and hour are values and ranges alone, no `*` and no step: they name times of the day. */
	isFixed: boolean;
	/** Null: the day of the month does not matter. */
	days: Pick<MonthDays, 'days' | 'hasLastDay'> | null;
	months: readonly number[];
	/** Null: the weekday does not matter. With `days`, either is enough. */
	weekdays: Weekdays | null;
}>;

const fieldsOf = (text: string): readonly (readonly string[])[] => {
	const fields = text.split(' ');
	if (fields.length !== 5)
		throw new SyntaxError(
			`A cron expression has 5 fields: minute, hour, day of the month, month and weekday. This has ${fields.length}.`,
		);
	return fields.map((field) => field.split(','));
};

const isWild = ({values, isStepped}: Field, rule: typeof minuteRule): boolean => {
	const text = stepText(values, rule);
	return text === '*' || (isStepped && text.includes('/'));
};

const timesOf = (minuteParts: readonly string[], hourParts: readonly string[]) => {
	const minutes = readField(minuteParts, minuteRule);
	const hours = readField(hourParts, hourRule);
	const isFixed = !isWild(minutes, minuteRule) && !isWild(hours, hourRule);
	return {minutes: minutes.values, hours: hours.values, isFixed};
};

const noDay = 'None of its months has such a day: it would never run.';

type Dates = Pick<Schedule, 'days' | 'months' | 'weekdays'>;

/** Day and weekday both say something: either is enough, as in every cron. */
const eitherOf = (dates: MonthDays, weekdays: Weekdays): Dates => {
	const {days, hasLastDay, months, isEveryDay} = normalizeDays(dates);
	if (isEveryDay || weekdays.every((each) => each === everyOccurrence)) return {days: null, months, weekdays: null};
	return {days: days.length > 0 || hasLastDay ? {days, hasLastDay} : null, months, weekdays};
};

const byDay = (dates: MonthDays): Dates => {
	const {days, hasLastDay, months, isEveryDay} = normalizeDays(withoutEmptyMonths(dates));
	if (months.length === 0) throw new SyntaxError(noDay);
	return {days: isEveryDay ? null : {days, hasLastDay}, months, weekdays: null};
};

const datesOf = (
	dayParts: readonly string[],
	monthParts: readonly string[],
	weekdayParts: readonly string[],
): Dates => {
	const {values: days, isStarred} = readField(
		dayParts.filter((part) => part !== 'l'),
		dayRule,
	);
	const months = readField(monthParts, monthRule).values;
	const {weekdays, isStarred: isAnyWeekday} = readWeekdays(weekdayParts);
	const dates = {days, hasLastDay: dayParts.includes('l'), months};
	if (isAnyWeekday) return byDay(dates);
	return eitherOf(isStarred ? {days: [], hasLastDay: false, months} : dates, weekdays);
};

/**
 * Reads a cron expression of five fields, in lower case and with single spaces: values, names, lists, ranges, steps, `L`
 * (the last day of the month; after a weekday, its last one) and `#` (`5#2`, the second Friday).
 *
 * @throws SyntaxError with the reason for people, also when it would never run.
 */
export const readCron = (text: string): Schedule => {
	const [minutes = [], hours = [], days = [], months = [], weekdays = []] = fieldsOf(text);
	return {...timesOf(minutes, hours), ...datesOf(days, months, weekdays)};
};

/** Steps are only for what most people would write so: dates are clearer as a list. */
const shortestStep = 4;

const dateText = (values: readonly number[], rule: typeof dayRule): string => {
	const text = stepText(values, rule);
	return text === '*' || (text.startsWith('*') && values.length >= shortestStep) ? text : listText(values);
};

const dayText = ({days, hasLastDay}: NonNullable<Schedule['days']>): string =>
	[...(days.length > 0 ? [dateText(days, dayRule)] : []), ...(hasLastDay ? ['L'] : [])].join(',');

/**
 * The canonical text: equal schedules have equal text. Times that are written as a list and times that are written as a
 * step stay apart, since they differ when clocks change.
 */
export const writeCron = ({minutes, hours, isFixed, days, months, weekdays}: Schedule): string =>
	[
		isFixed ? listText(minutes) : stepText(minutes, minuteRule),
		isFixed ? listText(hours) : stepText(hours, hourRule),
		days ? dayText(days) : '*',
		dateText(months, monthRule),
		weekdays ? weekdayText(weekdays) : '*',
	].join(' ');
